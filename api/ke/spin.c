/* spin.c - waiting for a lock while keeping the processor, as spin locks do,
 * and the watchdog that stops the machine where that takes too long, if a
 * ruling wants one (EXE-GEN-06). */
#include "api/ke/spin.h"

#include <stddef.h>

#include "api/core/kernel.h"
#include "api/ke/clock.h"
#include "api/ke/dpc.h"
#include "sim/machine/strand.h"

enum { SINCE_RAISED = 1 }; /* parameter 1 of DPC_WATCHDOG_VIOLATION */

/* The interrupt that this leads to comes when the spin is over. */
static void expired(struct kernel *kernel, struct clock_timer *limit)
{
    (void)kernel;
    (void)limit;
}

static void watch(struct kernel *kernel, struct clock_timer *limit)
{
    const struct cpu *cpu = kernel_cpu(kernel);

    *limit = (struct clock_timer){.expired = expired, .processor = cpu->index};
    kernel_processor(kernel, cpu)->spin_limit = limit;
    clock_timer_set(kernel, limit,
        clock_tick_after(kernel, clock_interrupt_time(kernel),
            (uint64_t)DPC_WATCHDOG_TICKS * CLOCK_TICK_UNITS));
}

/* Where IRQL-GEN-01 [C] is flipped too, threads may spin below DISPATCH_LEVEL,
 * which others interrupt in any order. And one that has interrupted another
 * began later than that, whose time is up first. */
static bool is_watched(struct kernel *kernel, const struct cpu *cpu)
{
    return ruling_is(kernel, RULED_EXE_GEN_06_watchdog) &&
           irql_is_raised(kernel, cpu) &&
           kernel_processor(kernel, cpu)->spin_limit == NULL;
}

void spin_until(
    struct kernel *kernel, bool (*condition)(void *context), void *context)
{
    const struct cpu *cpu = kernel_cpu(kernel);
    struct clock_timer limit;

    if (!is_watched(kernel, cpu)) {
        strand_wait(kernel->machine, STRAND_SPINNING, condition, context);
        return;
    }
    watch(kernel, &limit);
    strand_wait(kernel->machine, STRAND_SPINNING, condition, context);
    clock_timer_cancel(kernel, &limit);
    kernel_processor(kernel, cpu)->spin_limit = NULL;
}

void spin_look(struct kernel *kernel, struct cpu *cpu)
{
    const struct clock_timer *limit = kernel_processor(kernel, cpu)->spin_limit;
    const struct bugcheck_parameter parameter[4] = {
        {.value = SINCE_RAISED}, {.value = DPC_WATCHDOG_TICKS}};

    if (limit != NULL && limit->state == CLOCK_TIMER_DUE) {
        rule_stop(kernel, cpu, RULE_SPIN_WATCHDOG, ROUTINE_COUNT, parameter);
    }
}
