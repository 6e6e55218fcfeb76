/* gate.c - what happens around each call of a kernel routine: IRQL contract,
 * cost, preemption points, calls that are to fail, trace. */
#include "api/core/gate.h"

#include <assert.h>
#include <string.h>

#include "api/core/early_end.h"
#include "api/core/exception.h"
#include "api/core/irql_dispute.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/show.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"

/* A call at a level that its contract forbids. */
static _Noreturn void gate_stop(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, enum irql_level highest)
{
    const struct routine_row *row = &routine_rows[routine];
    const struct bugcheck_parameter parameter[4] = {{.name = row->name},
        {.value = irql_current(kernel, cpu)},
        {.value = irql_number(kernel, highest)}};

    rule_stop(kernel, cpu, rule, routine, parameter);
}

/* From which level on a spin lock's routine stops the machine: LOCK-08 [C],
 * HAL-OVF-08c [C]. */
static uint8_t lock_limit(
    struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    if (kernel_processor(kernel, cpu)->handler_of == NULL &&
        routine_has(routine, TRAIT_AT_DPC) &&
        ruling_is(kernel, RULED_LOCK_08_page)) {
        return UINT8_MAX;
    }
    return irql_number(kernel, LEVEL_PROFILE_LEVEL);
}

/* IRQL-GEN-01 [C]. */
static void gate_refuse_irql(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, enum irql_level highest)
{
    if (kernel_processor(kernel, cpu)->handler_of == NULL &&
        ruling_is(kernel, RULED_IRQL_GEN_01_event)) {
        rule_report(kernel, cpu, RULE_IRQL_CONTRACT, routine);
        return;
    }
    gate_stop(kernel, cpu, RULE_IRQL_CONTRACT, routine, highest);
}

static bool gate_is_within(
    struct kernel *kernel, struct cpu *cpu, const struct irql_range *range)
{
    uint8_t irql = irql_current(kernel, cpu);

    return irql >= irql_number(kernel, range->lowest) &&
           irql <= irql_number(kernel, range->highest);
}

/* At a level that the page or the header's annotation allows: EXE-GEN-01 [C].
 */
static void gate_check_dispute(
    struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    const struct irql_dispute *dispute = irql_dispute_find(routine);
    bool by_page = gate_is_within(kernel, cpu, &dispute->page);

    if (!ruling_is(kernel, RULED_EXE_GEN_01_page)) {
        if (!by_page || !gate_is_within(kernel, cpu, &dispute->header)) {
            rule_warn(kernel, cpu, RULE_IRQL_DISPUTED, routine);
        }
    } else if (!by_page) {
        gate_refuse_irql(kernel, cpu, routine, dispute->page.highest);
    }
}

/* Calls are checked where they arrive, so a wrong level never gets as far as
 * the routine. Spin locks have their own name for what is worst. In a handler
 * all this is HAL-OVF-08a [C]. */
static void gate_check_irql(
    struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    const struct routine_row *row = &routine_rows[routine];
    uint8_t irql = irql_current(kernel, cpu);

    if (routine_has(routine, TRAIT_SPIN_LOCK) &&
        irql >= lock_limit(kernel, cpu, routine)) {
        gate_stop(kernel, cpu, RULE_LOCK_AT_PROFILE, routine, row->highest);
    }
    if (irql >= irql_number(kernel, row->lowest) &&
        irql <= irql_number(kernel, row->highest)) {
        if (routine_has(routine, TRAIT_DISPUTED)) {
            gate_check_dispute(kernel, cpu, routine);
        }
        return;
    }
    if (kernel->bugcheck.code != BUGCHECK_NONE &&
        routine_has(routine, TRAIT_BUG_CHECK)) {
        return;
    }
    gate_refuse_irql(kernel, cpu, routine, row->highest);
}

/* The body's result; where GEN-PTR-01 [C] is flipped, a status for a mandatory
 * pointer that is NULL, from a routine that has one. */
static uint64_t gate_body(
    struct kernel *kernel, enum routine routine, const uint64_t *argument)
{
    const struct routine_row *row = &routine_rows[routine];
    bool checked = row->returns == NT_NTSTATUS &&
                   (row->traits & TRAIT_OWN_NULL) == 0 &&
                   ruling_is(kernel, RULED_GEN_PTR_01_status);

    for (size_t i = 0; checked && i < routine_parameter_count(row); i++) {
        enum parameter_direction direction = row->parameter[i].direction;

        if (argument[i] == 0 &&
            (direction == PARAMETER_IN || direction == PARAMETER_OUT)) {
            return (uint32_t)STATUS_INVALID_PARAMETER_1 + i;
        }
    }
    return early_end_call(kernel, routine, argument);
}

/* What the compiler calls as it likes is in no trace. */
static bool gate_is_traced(
    const struct kernel *kernel, const struct routine_row *row)
{
    return !kernel->machine->trace.off && row->needs != NEEDS_CRT;
}

static void gate_trace_call(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const uint64_t *argument)
{
    struct trace *trace = &kernel->machine->trace;
    const char *name = routine_rows[routine].name;
    char text[SHOW_CALL_BYTES];

    show_call(kernel, routine, argument, text, sizeof(text));
    assert(strncmp(text, name, strlen(name)) == 0);
    cpu_trace_now(cpu, &api_events[API_EVENT_CALL], trace_text(trace, name),
        trace_text(trace, text + strlen(name)));
}

static void gate_trace_return(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, uint64_t result)
{
    struct trace *trace = &kernel->machine->trace;
    enum nt_type type = routine_rows[routine].returns;
    enum api_event event = type == NT_VOID       ? API_EVENT_RETURN_VOID
                           : type == NT_NTSTATUS ? API_EVENT_RETURN_STATUS
                                                 : API_EVENT_RETURN_VALUE;
    char text[SHOW_VALUE_BYTES];

    show_result(kernel, routine, result, text, sizeof(text));
    cpu_trace_now(cpu, &api_events[event],
        trace_text(trace, routine_rows[routine].name), trace_text(trace, text));
}

/* With the status, where a driver would not meet it on Windows as it is
 * documented. */
static void gate_trace_fault(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, uint64_t result)
{
    struct trace *trace = &kernel->machine->trace;
    uint64_t name = trace_text(trace, routine_rows[routine].name);
    char number[NT_STATUS_DIGITS];

    if (faults_are_undocumented(routine, result)) {
        cpu_trace_now(cpu, &api_events[API_EVENT_FAULT_UNDOCUMENTED], name,
            trace_text(trace, nt_status_text((uint32_t)result, number)));
    } else {
        cpu_trace_now(cpu, &api_events[API_EVENT_FAULT], name);
    }
}

/* What a call leaves behind that a `fault` step makes fail: the outputs of its
 * failure, for a routine that has some. */
static uint64_t gate_fail(const struct kernel *kernel, enum routine routine,
    const uint64_t *argument, uint64_t result)
{
    const struct routine_row *row = &routine_rows[routine];
    const struct routine_entry *entry = &kernel->hooks->entries[routine];
    size_t output = 0;

    if (entry->failed == NULL || NT_SUCCESS((NTSTATUS)(uint32_t)result)) {
        return result;
    }
    while (!parameter_is_out(&row->parameter[output])) {
        output++;
        assert(output < routine_parameter_count(row)); /* it ANSWERS there */
    }
    return (uint32_t)entry->failed(
        (PVOID)(uintptr_t)argument[output], (NTSTATUS)(uint32_t)result);
}

/* Its row has the status, or a ruling is flipped, which may bring others. */
static bool gate_may_return(
    const struct kernel *kernel, enum routine routine, uint64_t result)
{
    return routine_rows[routine].returns != NT_NTSTATUS ||
           routine_may_return(routine, (NTSTATUS)(uint32_t)result) ||
           rulings_are_flipped(&kernel->rulings);
}

/* As wide as its type at most; of VOID there is nothing. */
static bool gate_fits(enum routine routine, uint64_t result)
{
    size_t bytes = nt_type_row(routine_rows[routine].returns)->size;

    return bytes == sizeof(result) || result >> 8 * bytes == 0;
}

/* Whether the call is to fail, and how: as a `fault` step asks, or because
 * somebody has chosen it. */
static bool gate_is_to_fail(struct kernel *kernel, enum routine routine,
    const uint64_t *argument, struct fault_way *way)
{
    struct fault_chooser *chooser = kernel->faults.chooser;

    *way = (struct fault_way){.raises = false};
    return faults_take(&kernel->faults, routine, &way->result) ||
           (chooser != NULL && faults_way(routine, argument, way) &&
               chooser->fails(chooser, kernel, routine, way));
}

/* The body's result, or that of a call that is to fail. */
static uint64_t gate_result(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const uint64_t *argument)
{
    const struct exception_record raised = {
        .code = STATUS_INSUFFICIENT_RESOURCES, .routine = routine};
    struct fault_way way;
    uint64_t result;

    if (!gate_is_to_fail(kernel, routine, argument, &way)) {
        result = gate_body(kernel, routine, argument);
        assert(gate_may_return(kernel, routine, result));
        assert(gate_fits(routine, result));
        return result;
    }
    if (gate_is_traced(kernel, &routine_rows[routine])) {
        gate_trace_fault(kernel, cpu, routine, way.result);
    }
    if (way.raises) {
        exception_raise(kernel, &raised);
    }
    return gate_fail(kernel, routine, argument, way.result);
}

static void gate_tell(
    struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    const struct gate_observer *const *observer = kernel->hooks->observers;

    if (!routine_has(routine, TRAIT_STATE)) {
        return;
    }
    for (; *observer != NULL; observer++) {
        (*observer)->changed(kernel, cpu, routine);
    }
}

/* What the body touches, where somebody chooses schedules. Returns what its
 * caller does. */
static struct schedule_footprint gate_begin_touching(
    struct kernel *kernel, enum routine routine)
{
    const struct schedule_footprint nothing = {0};

    return strand_touches(kernel->machine,
        routine_has(routine, TRAIT_ALONE) ? nothing : SCHEDULE_EVERYTHING);
}

uint64_t gate_call(enum routine routine, const uint64_t *argument)
{
    const struct routine_row *row = &routine_rows[routine];
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    const struct thread *thread = thread_current(kernel);
    const struct exception_frame *frames = thread->frames;
    struct schedule_footprint touches;
    uint64_t result;

    if (gate_is_traced(kernel, row)) {
        gate_trace_call(kernel, cpu, routine, argument);
    }
    if (kernel_processor(kernel, cpu)->before_call != NULL) {
        kernel_processor(kernel, cpu)->before_call(kernel, cpu, routine);
        cpu = kernel_cpu(kernel);
    }
    gate_check_irql(kernel, cpu, routine);
    cpu_spend(cpu, row->cycles, row->instructions);
    cpu_checkpoint(cpu);
    touches = gate_begin_touching(kernel, routine);
    if (row->returns != NT_NTSTATUS) {
        gate_tell(kernel, cpu, routine);
    }
    result = gate_result(kernel, cpu, routine, argument);
    assert(thread == thread_current(kernel) && thread->frames == frames);
    cpu = kernel_cpu(kernel); /* the thread may have moved */
    if (row->returns == NT_NTSTATUS && NT_SUCCESS((NTSTATUS)(uint32_t)result)) {
        gate_tell(kernel, cpu, routine);
    }
    if (gate_is_traced(kernel, row)) {
        gate_trace_return(kernel, cpu, routine, result);
    }
    strand_touches(kernel->machine, touches);
    cpu_checkpoint(cpu);
    return result;
}
