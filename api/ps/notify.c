/* notify.c - notify routines: registered in slots, called in their order, and
 * what drivers leave of them. */
#include "api/ps/notify.h"

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/apc_region.h"
#include "api/ke/driver_call.h"
#include "api/ke/kthread.h"
#include "api/ke/wait.h"
#include "api/ps/notify_call.h"
#include "api/ps/process.h"

enum { IMAGE_SLOTS_BEFORE_10 = 8 };

struct notify_entry {
    uint64_t function;
    enum notify_form form;
    bool used;
    bool leaving; /* it is removed, and not called any more */
    bool itself;  /* by itself, so that nobody waits for its end */
    bool left;    /* its driver has ended */
    uint32_t running;
    const struct driver *driver;
    uint64_t place; /* of the call that registered it; 0: unknown */
    uint32_t step;  /* of the actor's that did (struct thread) */
};

static const char *const kind_texts[NOTIFY_KINDS] = {
    "process notify routine", "thread notify routine", "image notify routine"};

/* Of images Windows 7 and 8 have fewer, without their updates (PROC-20b). */
static unsigned slots_of(const struct kernel *kernel, enum notify_kind kind)
{
    return kind == NOTIFY_IMAGE && kernel->os < &os_rows[OS_WIN10_PRE1903]
               ? IMAGE_SLOTS_BEFORE_10
               : NOTIFY_SLOTS;
}

static struct notify_entry *find(struct kernel *kernel, enum notify_kind kind,
    enum notify_form form, uint64_t function)
{
    struct notify_entry *slot = kernel->processes->notify.slot[kind];

    for (unsigned i = 0; slot != NULL && i < NOTIFY_SLOTS; i++) {
        if (slot[i].used && !slot[i].leaving && slot[i].form == form &&
            slot[i].function == function) {
            return &slot[i];
        }
    }
    return NULL;
}

bool notify_has(struct kernel *kernel, enum notify_kind kind,
    enum notify_form form, uint64_t function)
{
    return find(kernel, kind, form, function) != NULL;
}

bool notify_add(struct kernel *kernel, enum notify_kind kind,
    enum notify_form form, uint64_t function)
{
    struct notify_entry **slot = &kernel->processes->notify.slot[kind];
    unsigned free = 0;

    if (*slot == NULL) {
        *slot = run_needs_memory(
            kernel, NOTIFY_SLOTS * sizeof(**slot), "who is told");
    }
    while (free < slots_of(kernel, kind) && (*slot)[free].used) {
        free++;
    }
    if (free == slots_of(kernel, kind)) {
        return false;
    }
    (*slot)[free] = (struct notify_entry){
        .function = function,
        .form = form,
        .used = true,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
    };
    return true;
}

static bool is_not_called(void *entry)
{
    return ((const struct notify_entry *)entry)->running == 0;
}

bool notify_remove(struct kernel *kernel, enum routine routine,
    enum notify_kind kind, enum notify_form form, uint64_t function)
{
    struct notify_entry *entry = find(kernel, kind, form, function);

    if (entry == NULL) {
        return false;
    }
    entry->leaving = true;
    if (thread_current(kernel)->called == entry) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_NOTIFY_REMOVED_INSIDE, routine);
        entry->itself = true; /* gone when it returns (PROC-20g [C]) */
        return true;
    }
    wait_until(kernel, is_not_called, entry);
    entry->used = false;
    return true;
}

static void check_left(struct kernel *kernel, enum notify_kind kind,
    const struct notify_entry *entry)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = kind_texts[kind]}, {.value = irql_current(kernel, cpu)}};

    if (entry->left) {
        rule_stop_at(kernel, cpu, RULE_NOTIFY_GONE, ROUTINE_COUNT, entry->place,
            parameter); /* PROC-21 [C] */
    }
}

/* As its driver's code, in a critical region of the running thread. */
static void call(struct kernel *kernel, enum notify_kind kind,
    struct notify_entry *entry, const uint64_t argument[CODE_ARGUMENTS])
{
    struct kthread *object = kthread_current(kernel);
    struct thread *thread = thread_current(kernel);
    const void *outer = thread->called;
    const struct driver_target target = {
        .driver = entry->driver,
        .routine = kind_texts[kind],
        .address = entry->function,
        .irql_rule = RULE_NOTIFY_IRQL,
        .interrupts_rule = RULE_NOTIFY_INTERRUPTS,
    };

    check_left(kernel, kind, entry);
    entry->running++;
    thread->called = entry;
    apc_region_enter(object);
    driver_call(kernel, &target, argument);
    apc_region_leave(object);
    apc_region_take(kernel);
    thread->called = outer;
    entry->running--;
    if (entry->itself && entry->running == 0) {
        entry->used = false;
    }
}

void notify_call_each(struct kernel *kernel, enum notify_kind kind,
    const struct notify_arguments *arguments)
{
    struct notify_entry *slot = kernel->processes->notify.slot[kind];

    for (unsigned i = 0; slot != NULL && i < NOTIFY_SLOTS; i++) {
        if (slot[i].used && !slot[i].leaving) {
            call(kernel, kind, &slot[i],
                slot[i].form == NOTIFY_PLAIN ? arguments->plain
                                             : arguments->extended);
        }
    }
}

bool notify_is_watched(const struct kernel *kernel, enum notify_kind kind)
{
    return kernel->processes->notify.slot[kind] != NULL;
}

static void list_routines(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (unsigned kind = 0; kind < NOTIFY_KINDS; kind++) {
        const struct notify_entry *slot = kernel->processes->notify.slot[kind];

        for (unsigned i = 0; slot != NULL && i < NOTIFY_SLOTS; i++) {
            if (slot[i].used && !slot[i].leaving &&
                slot[i].driver == listing->driver) {
                leaks_found(listing, LEAK_NOTIFY_ROUTINE, kind_texts[kind],
                    slot[i].step);
            }
        }
    }
}

/* They stay registered: the next event is the end (PROC-21 [C]). */
static void report_routines(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (unsigned kind = 0; kind < NOTIFY_KINDS; kind++) {
        struct notify_entry *slot = kernel->processes->notify.slot[kind];

        for (unsigned i = 0; slot != NULL && i < NOTIFY_SLOTS; i++) {
            if (slot[i].used && !slot[i].left && slot[i].driver == driver) {
                slot[i].left = true;
                rule_warn_at(kernel, cpu, RULE_LEAK_NOTIFY_ROUTINE,
                    ROUTINE_COUNT, slot[i].place);
            }
        }
    }
}

const struct leak_source notify_leaks = {
    LEAK_NOTIFY_ROUTINE, list_routines, report_routines, NULL};
