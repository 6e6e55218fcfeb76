/* interrupt_object.c - IoConnectInterruptEx, IoDisconnectInterruptEx: a
 * driver's service routine for its device's interrupt, connected, called, taken
 * away. */
#include "api/io/interrupt_object.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/core/trace_events.h"
#include "api/io/device.h"
#include "api/io/interrupt_lock.h"
#include "api/ke/driver_call.h"
#include "api/ke/interrupt.h"
#include "api/ke/irql.h"
#include "api/ke/wait.h"
#include "api/mm/copy.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

/* wdm.h, on x64. */
enum {
    CONNECT_FULLY_SPECIFIED = 1,
    CONNECT_LINE_BASED = 2,
    CONNECT_MESSAGE_BASED = 3,
    CONNECT_FULLY_SPECIFIED_GROUP = 4,
    MODE_LATCHED = 1, /* LevelSensitive is 0 */
    SERVICE_MICROSECONDS = 25,
    FIRST_VECTOR = 0x51,
    VECTOR_STEP = 0x10,
};

/* IO_CONNECT_INTERRUPT_PARAMETERS, both forms. */
struct connect_parameters {
    uint32_t version;
    uint32_t reserved;
    uint64_t device, object, routine, context, spin_lock;
    uint8_t synchronize_irql, floating_save;
    /* From here on fully specified alone. */
    uint8_t share;
    uint8_t reserved_vector;
    uint32_t vector;
    uint8_t irql;
    uint8_t reserved_mode[3];
    uint32_t mode;
    uint64_t mask;
    uint16_t group;
    uint8_t reserved_end[6];
};

_Static_assert(offsetof(struct connect_parameters, vector) == 52, "wdm.h");
_Static_assert(offsetof(struct connect_parameters, mask) == 64, "wdm.h");
_Static_assert(sizeof(struct connect_parameters) == 80, "wdm.h");

struct disconnect_parameters {
    uint32_t version, reserved;
    uint64_t object;
};

static uint8_t vector_of(unsigned line)
{
    return (uint8_t)(FIRST_VECTOR + VECTOR_STEP * line);
}

static const struct interrupt_object *first_of_line(
    const struct kernel *kernel, unsigned line)
{
    const struct interrupt_object *object = kernel->interrupts->first;

    while (object != NULL && object->line != line) {
        object = object->next;
    }
    return object;
}

/* The device's own line, which it gets when somebody asks (INT-04 [C]). */
static NTSTATUS line_of_device(
    struct kernel *kernel, struct io_device *device, unsigned *line)
{
    if (device->line == 0) {
        if (kernel->interrupts->lines == INTERRUPT_LINES) {
            return STATUS_NOT_FOUND;
        }
        device->line = (uint8_t)++kernel->interrupts->lines;
    }
    *line = device->line - 1u;
    return STATUS_SUCCESS;
}

static NTSTATUS decode_line_based(struct kernel *kernel,
    const struct connect_parameters *given, struct io_device *device,
    struct interrupt_object *made)
{
    NTSTATUS status = line_of_device(kernel, device, &made->line);

    made->irql = (uint8_t)(vector_of(made->line) >> 4);
    made->synchronize_irql =
        given->synchronize_irql == 0 ? made->irql : given->synchronize_irql;
    made->shared = true;
    made->where =
        (GROUP_AFFINITY){.Mask = topology_mask(&kernel->machine->topology, 0)};
    return status;
}

static NTSTATUS decode_fully_specified(struct kernel *kernel,
    const struct connect_parameters *given, struct interrupt_object *made)
{
    const struct topology *topology = &kernel->machine->topology;
    uint16_t group =
        given->version == CONNECT_FULLY_SPECIFIED_GROUP ? given->group : 0;

    made->line = (given->vector - FIRST_VECTOR) / VECTOR_STEP;
    if (given->vector < FIRST_VECTOR || made->line >= INTERRUPT_LINES ||
        vector_of(made->line) != given->vector) {
        return STATUS_NOT_FOUND;
    }
    if (given->irql == irql_number(kernel, LEVEL_PASSIVE_LEVEL)) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "IoConnectInterruptEx: interrupts that are serviced at "
            "PASSIVE_LEVEL are not modelled");
    }
    if (given->irql != given->vector >> 4 || group >= topology->groups) {
        return STATUS_INVALID_PARAMETER; /* INT-05 [C] */
    }
    made->irql = given->irql;
    made->synchronize_irql = given->synchronize_irql;
    made->latched = given->mode == MODE_LATCHED;
    made->shared = given->share != 0;
    made->where = (GROUP_AFFINITY){
        .Group = group, .Mask = given->mask & topology_mask(topology, group)};
    return made->where.Mask == 0 ? STATUS_INVALID_PARAMETER_10 : STATUS_SUCCESS;
}

/* INT-05 [C]. */
static NTSTATUS check(
    const struct kernel *kernel, const struct interrupt_object *made)
{
    const struct interrupt_object *other = first_of_line(kernel, made->line);

    if (made->synchronize_irql < made->irql ||
        made->synchronize_irql > kernel->irql_high ||
        (other != NULL && !(other->shared && made->shared))) {
        return STATUS_INVALID_PARAMETER;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS decode(struct kernel *kernel, struct connect_parameters *given,
    const void *from, struct interrupt_object *made)
{
    const enum routine routine = ROUTINE_IoConnectInterruptEx;
    bool line_based;
    struct io_device *device;
    NTSTATUS status;

    copy_in(kernel, routine, &given->version, from, sizeof(given->version));
    if (given->version == CONNECT_MESSAGE_BASED) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "IoConnectInterruptEx: message-signalled interrupts are not "
            "modelled");
    }
    line_based = given->version == CONNECT_LINE_BASED;
    if (!line_based && given->version != CONNECT_FULLY_SPECIFIED &&
        given->version != CONNECT_FULLY_SPECIFIED_GROUP) {
        return STATUS_INVALID_PARAMETER_1;
    }
    copy_in(kernel, routine, given, from,
        line_based ? offsetof(struct connect_parameters, share)
                   : sizeof(*given));
    if (given->device == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    device =
        io_device_get(kernel, routine, (const void *)(uintptr_t)given->device);
    *made = (struct interrupt_object){.routine = given->routine,
        .context = given->context,
        .spin_lock = given->spin_lock};
    status = line_based ? decode_line_based(kernel, given, device, made)
                        : decode_fully_specified(kernel, given, made);
    return NT_SUCCESS(status) ? check(kernel, made) : status;
}

/* INT-10; the processor that comes to nothing stops (INT-11 [C]). */
static void check_routine(struct kernel *kernel, uint64_t routine)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "no code"}, {.value = irql_current(kernel, cpu)}};

    if (!code_is_at(kernel, routine)) {
        rule_stop(kernel, cpu, RULE_CODE_NOT_CODE, ROUTINE_IoConnectInterruptEx,
            parameter);
    }
    if (code_transient_section(kernel, routine) != NULL) {
        rule_warn(
            kernel, cpu, RULE_INTERRUPT_PAGED, ROUTINE_IoConnectInterruptEx);
    }
}

static void enter(struct kernel *kernel, struct interrupt_object *object)
{
    struct interrupt_object **last = &kernel->interrupts->first;

    if (first_of_line(kernel, object->line) == NULL) {
        interrupt_connect(
            kernel, object->line, vector_of(object->line), object->irql);
    }
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = object;
}

NTSTATUS IoConnectInterruptEx_body(PVOID Parameters)
{
    const enum routine routine = ROUTINE_IoConnectInterruptEx;
    struct kernel *kernel = kernel_current();
    struct connect_parameters given = {0};
    struct interrupt_object wanted, *made;
    NTSTATUS status = decode(kernel, &given, Parameters, &wanted);
    PVOID *to = (PVOID *)(uintptr_t)given.object;
    PVOID address;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    copy_probe(kernel, routine, to, sizeof(*to), true);
    check_routine(kernel, given.routine);
    address = run_needs(kernel, memory_alloc(&kernel->machine->memory, 0, 0),
        "an interrupt object");
    made = record_take(
        kernel, &kernel->interrupts->pool, sizeof(*made), "interrupt objects");
    *made = wanted;
    made->address = (uintptr_t)address;
    made->driver = kernel_driver(kernel, kernel_cpu(kernel));
    made->place = place_current(kernel);
    enter(kernel, made);
    copy_out(kernel, routine, to, &address, sizeof(address));
    return STATUS_SUCCESS;
}

static bool is_idle(void *context)
{
    return ((const struct interrupt_object *)context)->running == 0;
}

/* Its routine has come to its end everywhere then (INT-07). */
VOID IoDisconnectInterruptEx_body(PVOID Parameters)
{
    const enum routine routine = ROUTINE_IoDisconnectInterruptEx;
    struct kernel *kernel = kernel_current();
    struct interrupt_object **link = &kernel->interrupts->first;
    struct disconnect_parameters given;
    struct interrupt_object *object;

    copy_in(kernel, routine, &given, Parameters, sizeof(given));
    object = interrupt_object_get(
        kernel, routine, (const void *)(uintptr_t)given.object);
    if (!is_idle(object)) {
        wait_until(kernel, is_idle, object);
    }
    while (*link != object) {
        link = &(*link)->next;
    }
    *link = object->next;
    if (first_of_line(kernel, object->line) == NULL) {
        interrupt_disconnect(kernel, vector_of(object->line));
    }
    memory_free(&kernel->machine->memory, (void *)(uintptr_t)object->address);
    record_give(&kernel->interrupts->pool, object);
}

static bool comes_to(
    const struct interrupt_object *object, const struct cpu *cpu)
{
    return object->where.Group == cpu->group &&
           bit_is_set(object->where.Mask, cpu->number);
}

/* Whether the routine says that it was its device's. */
static bool run(
    struct kernel *kernel, struct cpu *cpu, struct interrupt_object *object)
{
    const struct driver_target target = {.driver = object->driver,
        .routine = "InterruptService",
        .address = object->routine,
        .irql_rule = RULE_INTERRUPT_IRQL,
        .interrupts_rule = RULE_INTERRUPT_INTERRUPTS};
    const uint64_t argument[CODE_ARGUMENTS] = {
        object->address, object->context};
    uint64_t budget =
        (uint64_t)SERVICE_MICROSECONDS * kernel->machine->config.pmu.mhz;
    uint8_t before = irql_set(kernel, cpu, object->synchronize_irql);
    uint64_t begun, result;

    object->running++;
    interrupt_lock_take(kernel, cpu, ROUTINE_COUNT, object);
    begun = cpu_own_time(cpu);
    result = driver_call(kernel, &target, argument);
    if (cpu_own_time(cpu) - begun > budget) {
        rule_warn_at(
            kernel, cpu, RULE_INTERRUPT_LONG, ROUTINE_COUNT, object->routine);
    }
    interrupt_lock_give(kernel, cpu, ROUTINE_COUNT, object);
    object->running--;
    irql_set(kernel, cpu, before);
    return (result & UINT8_MAX) != 0;
}

/* In order of connection, up to the first that says so; latched ones all
 * (INT-06). */
void interrupt_object_service(
    struct kernel *kernel, struct cpu *cpu, unsigned line)
{
    struct interrupt_object *object = kernel->interrupts->first;
    bool claimed = false;

    while (object != NULL && !(claimed && !object->latched)) {
        struct interrupt_object *next = object->next;

        if (object->line == line && comes_to(object, cpu)) {
            claimed |= run(kernel, cpu, object);
        }
        object = next;
    }
    if (!claimed) {
        cpu_trace(cpu, &api_events[API_EVENT_UNCLAIMED], vector_of(line));
    }
}

static void list_interrupts(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct interrupt_object *object = kernel->interrupts->first;
         object != NULL; object = object->next) {
        if (object->driver == listing->driver) {
            leaks_found(
                listing, LEAK_INTERRUPT, "a connected interrupt", LEAK_NO_STEP);
        }
    }
}

static void report_interrupts(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "interrupt"}, {.value = irql_current(kernel, cpu)}};

    for (const struct interrupt_object *object = kernel->interrupts->first;
         object != NULL; object = object->next) {
        if (object->driver == driver) {
            rule_stop_at(kernel, cpu, RULE_LEAK_INTERRUPT,
                ROUTINE_IoConnectInterruptEx, object->place, parameter);
        }
    }
}

const struct leak_source interrupt_leaks = {
    LEAK_INTERRUPT, list_interrupts, report_interrupts, NULL};
