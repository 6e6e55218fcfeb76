/* callback_object.c - callback objects: ExCreateCallback, ExRegisterCallback,
 * ExNotifyCallback, which calls in order of registration. */
#include "api/io/callback_object.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/io/io.h"
#include "api/ke/code.h"
#include "api/ke/wait.h"
#include "api/mm/copy.h"

/* CBK-04: there from the beginning. */
static const char *const system_names[] = {"\\Callback\\SetSystemTime",
    "\\Callback\\PowerState", CALLBACK_PROCESSOR_ADD};

static struct callback_object *object_of(struct counted_object *counted)
{
    return (struct callback_object *)(void *)((char *)counted -
                                              offsetof(struct callback_object,
                                                  counted));
}

static void callback_gone(struct kernel *kernel, void *object)
{
    struct callback_object *callback = object_of(object);

    assert(callback->first == NULL && callback->calls == 0);
    object_remove(&kernel->io->objects, &callback->object);
    memory_free(
        &kernel->machine->memory, (void *)(uintptr_t)callback->counted.address);
    record_give(&kernel->io->callback_pool, callback);
}

static const struct object_type callback_type = {
    .name = OBJECT_TYPE_CALLBACK,
    .text = "callback object",
    .gone = callback_gone,
};

/* With its maker's reference. */
static struct callback_object *make(
    struct kernel *kernel, const struct object_name *name)
{
    struct callback_object *callback = record_take(kernel,
        &kernel->io->callback_pool, sizeof(*callback), "callback objects");
    void *address = run_needs(kernel,
        memory_alloc(&kernel->machine->memory, 0, 0), "a callback object");

    *callback = (struct callback_object){
        .object = {.name = *name, .kind = OBJECT_CALLBACK},
        .counted = {.type = &callback_type, .address = (uintptr_t)address}};
    object_insert(&kernel->io->objects, &callback->object);
    counted_object_add(kernel, &callback->counted);
    return callback;
}

/* Windows' own object of that name, which is made when it is asked for. */
static struct callback_object *find_of_system(
    struct kernel *kernel, const struct object_name *name)
{
    for (size_t i = 0; i < sizeof(system_names) / sizeof(*system_names); i++) {
        struct object_name own;
        struct object object = {.next = NULL};
        struct callback_object *callback;

        object_name_parse_text(&own, system_names[i]);
        object.name = own;
        if (object_find(&object, name) == NULL) {
            continue;
        }
        callback = make(kernel, &own);
        callback->system = true;
        callback->multiple = true;
        return callback;
    }
    return NULL;
}

/* The name that the attributes have, and their flags. STATUS_UNSUCCESSFUL: none
 * (CBK-01). */
static NTSTATUS read_name(struct kernel *kernel, struct object_name *name,
    ULONG *flags, const OBJECT_ATTRIBUTES *given)
{
    const enum routine routine = ROUTINE_ExCreateCallback;
    OBJECT_ATTRIBUTES attributes;

    if (given == NULL) {
        return STATUS_UNSUCCESSFUL;
    }
    copy_in(kernel, routine, &attributes, given, sizeof(attributes));
    *flags = attributes.Attributes;
    if (attributes.ObjectName == NULL) {
        return STATUS_UNSUCCESSFUL;
    }
    return object_name_read(kernel, routine, name, attributes.ObjectName);
}

/* CBK-06 [C]. */
static NTSTATUS missing(const struct kernel *kernel, NTSTATUS status)
{
    return ruling_is(kernel, RULED_CBK_06_unsuccessful) ? STATUS_UNSUCCESSFUL
                                                        : status;
}

NTSTATUS ExCreateCallback_body(PVOID *CallbackObject,
    POBJECT_ATTRIBUTES ObjectAttributes, BOOLEAN Create, BOOLEAN AllowMultiple)
{
    const enum routine routine = ROUTINE_ExCreateCallback;
    struct kernel *kernel = kernel_current();
    struct callback_object *callback = NULL;
    struct object *found;
    struct object_name name;
    NTSTATUS status;
    PVOID address;
    ULONG flags;

    copy_probe(kernel, routine, CallbackObject, sizeof(PVOID), true);
    status = read_name(kernel, &name, &flags, ObjectAttributes);
    if (!NT_SUCCESS(status)) {
        return missing(kernel, status);
    }
    found = object_find(kernel->io->objects, &name);
    if (found != NULL && found->kind != OBJECT_CALLBACK) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    callback = (struct callback_object *)(void *)found;
    if (callback != NULL ||
        (callback = find_of_system(kernel, &name)) != NULL) {
        counted_object_hold(kernel, &callback->counted);
    } else if (Create == 0) {
        return missing(kernel, STATUS_OBJECT_NAME_NOT_FOUND);
    } else {
        callback = make(kernel, &name);
        callback->multiple = AllowMultiple != 0;
        counted_object_hold(kernel, &callback->counted);
        counted_object_made(
            kernel, &callback->counted, flags, STATUS_SUCCESS); /* CBK-05 */
    }
    address = (PVOID)(uintptr_t)callback->counted.address;
    copy_out(kernel, routine, CallbackObject, &address, sizeof(address));
    return STATUS_SUCCESS;
}

static struct callback_object *get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct counted_object *counted = counted_object_find(kernel, address);

    if (counted == NULL || counted->type != &callback_type) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, routine, "a callback object");
    }
    return object_of(counted);
}

/* The registrations that are called no more, where nobody goes through them. */
static void sweep(struct kernel *kernel, struct callback_object *callback)
{
    struct callback_registration **link = &callback->first;

    while (callback->calls == 0 && *link != NULL) {
        struct callback_registration *registration = *link;

        if (!registration->removed) {
            link = &registration->next;
            continue;
        }
        *link = registration->next;
        record_give(&kernel->io->registration_pool, registration);
        counted_object_release(kernel, &callback->counted);
        if (counted_object_find(kernel,
                (const void *)(uintptr_t)callback->counted.address) == NULL) {
            return;
        }
    }
    if (callback->calls == 0) {
        callback->last = callback->first;
        while (callback->last != NULL && callback->last->next != NULL) {
            callback->last = callback->last->next;
        }
    }
}

static bool has_routine(const struct callback_object *callback)
{
    const struct callback_registration *registration = callback->first;

    while (registration != NULL && registration->removed) {
        registration = registration->next;
    }
    return registration != NULL;
}

PVOID ExRegisterCallback_body(PVOID CallbackObject,
    PCALLBACK_FUNCTION CallbackFunction, PVOID CallbackContext)
{
    struct kernel *kernel = kernel_current();
    struct callback_object *callback =
        get(kernel, ROUTINE_ExRegisterCallback, CallbackObject);
    struct callback_registration *registration;

    if (!callback->multiple && has_routine(callback)) {
        return NULL; /* CBK-02 */
    }
    registration = record_take(kernel, &kernel->io->registration_pool,
        sizeof(*registration), "callback routines");
    *registration = (struct callback_registration){
        .handle = callback->counted.address + ++kernel->io->registrations,
        .function = (uintptr_t)CallbackFunction,
        .context = (uintptr_t)CallbackContext,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .object = callback,
    };
    *(callback->last == NULL ? &callback->first : &callback->last->next) =
        registration;
    callback->last = registration;
    counted_object_reference(&callback->counted);
    return (PVOID)(uintptr_t)registration->handle;
}

static struct callback_registration *find_registration(
    struct kernel *kernel, const void *handle)
{
    for (struct object *object = kernel->io->objects; object != NULL;
         object = object->next) {
        struct callback_registration *registration =
            object->kind != OBJECT_CALLBACK
                ? NULL
                : ((struct callback_object *)(void *)object)->first;

        while (registration != NULL &&
               (registration->handle != (uintptr_t)handle ||
                   registration->removed)) {
            registration = registration->next;
        }
        if (registration != NULL) {
            return registration;
        }
    }
    return NULL;
}

static bool is_not_called(void *registration)
{
    return ((struct callback_registration *)registration)->running == 0;
}

VOID ExUnregisterCallback_body(PVOID CallbackRegistration)
{
    const enum routine routine = ROUTINE_ExUnregisterCallback;
    struct kernel *kernel = kernel_current();
    struct callback_registration *registration =
        find_registration(kernel, CallbackRegistration);
    struct callback_object *callback;

    if (registration == NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_CALLBACK_STALE, routine);
        return;
    }
    callback = registration->object;
    registration->removed = true;
    if (!ruling_is(kernel, RULED_CBK_07_no_wait) &&
        thread_current(kernel)->called != registration) {
        callback->calls++; /* it stays meanwhile */
        wait_until(kernel, is_not_called, registration);
        callback->calls--;
    }
    sweep(kernel, callback);
}

static void check_irql(struct kernel *kernel,
    const struct callback_registration *registration, uint8_t irql)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "callback routine"}, {.value = irql_current(kernel, cpu)}};

    if (irql_current(kernel, cpu) != irql) {
        rule_stop_at(kernel, cpu, RULE_CALLBACK_IRQL, ROUTINE_COUNT,
            registration->function, parameter);
    }
}

/* As the code of whoever registered it, at the caller's level. */
static void call(struct kernel *kernel,
    struct callback_registration *registration, PVOID first, PVOID second)
{
    struct strand *strand = strand_current(kernel->machine);
    struct thread *thread = thread_current(kernel);
    const void *owner = strand->owner;
    const void *outer = thread->called;
    uint8_t irql = irql_current(kernel, kernel_cpu(kernel));
    const uint64_t argument[CODE_ARGUMENTS] = {
        registration->context, (uintptr_t)first, (uintptr_t)second};
    struct exception_frame *hidden = exception_hide(kernel);

    if (!code_is_at(kernel, registration->function)) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = "no code"}, {.value = irql}};

        rule_stop(kernel, kernel_cpu(kernel), RULE_CODE_NOT_CODE, ROUTINE_COUNT,
            parameter);
    }
    registration->running++;
    strand->owner = registration->driver;
    thread->called = registration;
    code_call(kernel, registration->function, argument);
    check_irql(kernel, registration, irql);
    thread->called = outer;
    strand->owner = owner;
    registration->running--;
    exception_show(kernel, hidden);
}

/* CBK-08 [C]. */
static bool may_notify(
    struct kernel *kernel, const struct callback_object *callback)
{
    if (!callback->system) {
        return true;
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_CALLBACK_SYSTEM,
        ROUTINE_ExNotifyCallback);
    return ruling_is(kernel, RULED_CBK_08_allow);
}

/* Calls every routine, and behind each `told`, where there is one. */
static void notify(struct kernel *kernel, struct callback_object *callback,
    PVOID first, PVOID second, const struct callback_told *told)
{
    struct callback_registration *registration = callback->first;
    const struct callback_registration *last = callback->last;

    callback->calls++;
    while (registration != NULL) { /* later ones wait (CBK-07 [C]) */
        if (!registration->removed) {
            const uint64_t function = registration->function;

            call(kernel, registration, first, second);
            if (told != NULL) {
                told->one(kernel, told->context, function);
            }
        }
        registration = registration == last ? NULL : registration->next;
    }
    callback->calls--;
    sweep(kernel, callback);
}

VOID ExNotifyCallback_body(
    PVOID CallbackObject, PVOID Argument1, PVOID Argument2)
{
    struct kernel *kernel = kernel_current();
    struct callback_object *callback =
        get(kernel, ROUTINE_ExNotifyCallback, CallbackObject);

    if (may_notify(kernel, callback)) {
        notify(kernel, callback, Argument1, Argument2, NULL);
    }
}

void callback_object_tell(struct kernel *kernel, const char *name, PVOID first,
    PVOID second, const struct callback_told *told)
{
    struct object_name own;
    struct object *found;

    object_name_parse_text(&own, name);
    found = object_find(kernel->io->objects, &own);
    if (found != NULL) {
        notify(kernel, (struct callback_object *)(void *)found, first, second,
            told);
    }
}

/* Calls visit() for each registration that the driver has left. */
static void each_left(struct kernel *kernel, const struct driver *driver,
    void (*visit)(struct kernel *kernel, void *context,
        struct callback_registration *registration),
    void *context)
{
    for (struct object *object = kernel->io->objects; object != NULL;
         object = object->next) {
        struct callback_registration *registration =
            object->kind != OBJECT_CALLBACK
                ? NULL
                : ((struct callback_object *)(void *)object)->first;

        for (; registration != NULL; registration = registration->next) {
            if (registration->driver == driver && !registration->removed) {
                visit(kernel, context, registration);
            }
        }
    }
}

static void list_one(struct kernel *kernel, void *context,
    struct callback_registration *registration)
{
    const struct leak_listing *listing = context;

    (void)kernel;
    leaks_found(listing, LEAK_CALLBACK, "callback routine", registration->step);
}

static void list_callbacks(
    struct kernel *kernel, const struct leak_listing *listing)
{
    struct leak_listing copy = *listing;

    each_left(kernel, listing->driver, list_one, &copy);
}

/* Its code is gone with the driver (EXE-GEN-05 [C]). */
static void report_one(struct kernel *kernel, void *context,
    struct callback_registration *registration)
{
    struct cpu *cpu = context;
    const struct bugcheck_parameter parameter[4] = {
        {.name = "callback routine"}, {.value = irql_current(kernel, cpu)}};

    if (leaks_is_news(&registration->reported)) {
        leaks_alive(kernel, cpu, RULE_LEAK_CALLBACK, ROUTINE_COUNT,
            registration->place, parameter);
    }
}

static void report_callbacks(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    each_left(kernel, driver, report_one, cpu);
}

const struct leak_source callback_leaks = {
    LEAK_CALLBACK, list_callbacks, report_callbacks, NULL};
