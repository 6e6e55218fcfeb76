/* driver_call.c - a driver's routine called by the kernel: as the driver's
 * code, whoever asked for it, and its level, interrupts and affinity
 * looked at behind it. */
#include "api/ke/driver_call.h"

#include <assert.h>

#include "api/core/exception.h"
#include "api/core/float_saves.h"
#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/ke/apc_region.h"
#include "api/ke/code.h"
#include "api/ke/kthread.h"
#include "api/ke/lock_left.h"
#include "api/ke/wait_pair.h"
#include "sim/machine/strand.h"

/* Nothing of the driver runs any more, so the routine's start is its place. */
static void check_irql(
    struct kernel *kernel, const struct driver_target *target, uint8_t irql)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = target->routine}, {.value = irql_current(kernel, cpu)}};

    if (irql_current(kernel, cpu) != irql) {
        rule_stop_with(kernel, cpu, target->irql_rule, ROUTINE_COUNT,
            target->address,
            target->irql_code != 0 ? target->irql_code
                                   : rule_rows[target->irql_rule].code,
            parameter);
    }
}

/* Nothing would ever be delivered again; the others shall not suffer for it. */
static void check_interrupts(
    struct kernel *kernel, const struct driver_target *target)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if (cpu->interrupts_off) {
        rule_warn_at(kernel, cpu, target->interrupts_rule, ROUTINE_COUNT,
            target->address);
        cpu_enable_interrupts(cpu);
    }
}

static uint32_t attachments(struct kernel *kernel)
{
    const struct kthread *thread = thread_current(kernel)->object;

    return thread == NULL ? 0 : thread->attachments;
}

/* The next routine would run in a process that nobody expects (PROC-11b). */
static void check_process(
    struct kernel *kernel, const struct driver_target *target, uint32_t before)
{
    const struct bugcheck_parameter parameter[4] = {{.name = target->routine}};

    if (attachments(kernel) != before) {
        rule_stop_at(kernel, kernel_cpu(kernel), RULE_PROCESS_ATTACHED,
            ROUTINE_COUNT, target->address, parameter);
    }
}

/* The thread is its caller's. It keeps what was set, as in Windows, so the next
 * call begins with that. */
static void check_affinity(struct kernel *kernel,
    const struct driver_target *target, const GROUP_AFFINITY *before)
{
    const GROUP_AFFINITY *now = &thread_current(kernel)->affinity;

    if (now->Mask != before->Mask || now->Group != before->Group) {
        rule_warn_at(kernel, kernel_cpu(kernel), RULE_THREAD_AFFINITY_KEPT,
            ROUTINE_COUNT, target->address);
    }
}

static uint32_t owned_mutexes(struct kernel *kernel)
{
    const struct kthread *thread = thread_current(kernel)->object;

    return thread == NULL ? 0 : thread->owned;
}

uint64_t driver_call(struct kernel *kernel, const struct driver_target *target,
    const uint64_t argument[CODE_ARGUMENTS])
{
    struct strand *strand = strand_current(kernel->machine);
    struct trace *trace = &kernel->machine->trace;
    const void *owner = strand->owner;
    uint32_t apcs = apc_region_current(kernel);
    uint8_t irql = irql_current(kernel, kernel_cpu(kernel));
    GROUP_AFFINITY affinity = thread_current(kernel)->affinity;
    uint32_t owned = owned_mutexes(kernel);
    const struct float_save *saved =
        float_saves_innermost(kernel, thread_current(kernel)->object);
    uint32_t attached = attachments(kernel);
    struct exception_frame *hidden;
    uint64_t result;

    assert(rule_rows[target->irql_rule].severity == RULE_FATAL);
    assert(rule_rows[target->interrupts_rule].severity == RULE_WARNING);
    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_DRIVER_CALL],
        trace_text(trace, target->driver->name),
        trace_text(trace, target->routine));
    if (!code_is_at(kernel, target->address)) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = target->routine},
            {.value = irql_current(kernel, kernel_cpu(kernel))}};

        rule_stop(kernel, kernel_cpu(kernel), RULE_CODE_NOT_CODE, ROUTINE_COUNT,
            parameter);
    }
    hidden = exception_hide(kernel);
    strand->owner = target->driver;
    result = code_call(kernel, target->address, argument);
    assert(strand_current(kernel->machine) == strand);
    assert(strand->owner == target->driver);
    wait_pair_abandon(kernel);
    if (!target->mutexes_judged) {
        lock_left_at_return(kernel, owned, target->address);
    }
    float_saves_check(
        kernel, thread_current(kernel)->object, saved, target->address);
    if (target->level != TARGET_CHANGES_LEVEL) {
        check_irql(kernel, target,
            target->level == TARGET_RETURNS_AT ? target->returns_at : irql);
    }
    check_interrupts(kernel, target);
    check_affinity(kernel, target, &affinity);
    check_process(kernel, target, attached);
    if (!target->regions_judged) {
        apc_region_check(kernel, target, apcs);
    }
    strand->owner = owner;
    exception_show(kernel, hidden);
    return result;
}

void driver_call_trace(
    struct kernel *kernel, const struct driver_target *target, NTSTATUS status)
{
    struct trace *trace = &kernel->machine->trace;
    char number[NT_STATUS_DIGITS];
    const char *name = nt_status_text((uint32_t)status, number);

    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_DRIVER_RETURN],
        trace_text(trace, target->driver->name),
        trace_text(trace, target->routine), trace_text(trace, name));
}
