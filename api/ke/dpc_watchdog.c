/* dpc_watchdog.c - how much of its time a DPC has left, and whether a processor
 * has been at DISPATCH_LEVEL for too long: KeQueryDpcWatchdogInformation,
 * KeShouldYieldProcessor. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/clock.h"
#include "api/ke/dpc.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"

enum { YIELD_MICROSECONDS = 100 }; /* DPC-26 [C] */

ULONG KeShouldYieldProcessor_body(void)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    const struct irql_state *state = &kernel_processor(kernel, cpu)->irql;

    return irql_is_raised(kernel, cpu) &&
           !ruling_is(kernel, RULED_DPC_26_never) &&
           cpu_own_time(cpu) - state->raised >
               YIELD_MICROSECONDS * kernel->machine->config.pmu.mhz;
}

/* The queue whose DPC the running code is; NULL: none's. */
static const struct dpc_queue *queue_here(
    struct kernel *kernel, const struct processor *processor)
{
    const struct kthread *thread = thread_current(kernel)->object;

    if (processor->in_dpc) {
        return &processor->dpcs->ordinary;
    }
    return thread != NULL && thread->in_dpc ? &processor->dpcs->threaded : NULL;
}

/* Of these ticks those that are left since then. */
static ULONG left(const struct kernel *kernel, const struct cpu *cpu,
    uint64_t limit, uint64_t began)
{
    uint64_t ticks = clock_ticks_at(kernel, cpu_own_time(cpu)) -
                     clock_ticks_at(kernel, began);

    return ticks < limit ? (ULONG)(limit - ticks) : 0;
}

NTSTATUS KeQueryDpcWatchdogInformation_body(
    PKDPC_WATCHDOG_INFORMATION WatchdogInformation)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    const struct processor *processor = kernel_processor(kernel, cpu);
    const struct dpc_queue *queue = queue_here(kernel, processor);
    bool raised = irql_is_raised(kernel, cpu);
    KDPC_WATCHDOG_INFORMATION information = {0};

    if (!raised && queue == NULL) {
        return STATUS_UNSUCCESSFUL;
    }
    if (!ruling_is(kernel, RULED_DPC_22_unlimited)) {
        uint64_t limit = ruling_number(kernel, RULING_DPC_22);

        information.DpcTimeLimit = (ULONG)limit;
        information.DpcTimeCount = left(kernel, cpu, limit,
            queue != NULL ? queue->began : cpu_own_time(cpu));
        information.DpcWatchdogLimit = DPC_WATCHDOG_TICKS;
        information.DpcWatchdogCount = left(kernel, cpu, DPC_WATCHDOG_TICKS,
            raised ? processor->irql.raised : cpu_own_time(cpu));
    }
    copy_out(kernel, ROUTINE_KeQueryDpcWatchdogInformation, WatchdogInformation,
        &information, sizeof(information));
    return STATUS_SUCCESS;
}
