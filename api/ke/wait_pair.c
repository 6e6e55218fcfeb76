/* wait_pair.c - Wait = TRUE of KeSetEvent and its kin: the IRQL stays raised,
 * and the next call has to be a wait. */
#include "api/ke/wait_pair.h"

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"

static bool is_wait(enum routine routine)
{
    return routine == ROUTINE_KeWaitForSingleObject ||
           routine == ROUTINE_KeWaitForMutexObject ||
           routine == ROUTINE_KeWaitForMultipleObjects;
}

/* WAIT-31 [C]. */
static uint8_t level_of_pair(const struct kernel *kernel)
{
    return ruling_is(kernel, RULED_WAIT_31_synch)
               ? (uint8_t)(irql_number(kernel, LEVEL_CLOCK_LEVEL) - 1)
               : irql_number(kernel, LEVEL_DISPATCH_LEVEL);
}

/* WAIT-32 [C]. */
static void report(struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "set and wait"}, {.value = irql_current(kernel, cpu)}};

    if (ruling_is(kernel, RULED_WAIT_32_fatal)) {
        rule_stop_with(kernel, cpu, RULE_WAIT_PAIR, routine,
            place_current(kernel), BUGCHECK_IRQL_NOT_LESS_OR_EQUAL, parameter);
    }
    rule_warn(kernel, cpu, RULE_WAIT_PAIR, routine);
}

/* Ends the pair, if the code that runs has begun it. */
static void end(struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    struct processor *processor = kernel_processor(kernel, cpu);
    const struct wait_pair pair = processor->pair;
    bool lowered;

    if (processor->irql.floor > pair.depth ||
        thread_current(kernel)->object != pair.thread) {
        return; /* an interrupt came between */
    }
    processor->before_call = NULL;
    lowered = processor->irql.depth != pair.depth + 1;
    if (lowered || !is_wait(routine)) {
        report(kernel, cpu, routine);
    }
    if (!lowered) {
        irql_lower(kernel, cpu, routine, pair.irql);
    }
}

/* EVT-12; page and headers differ on semaphores (WAIT-35). */
static enum irql_level highest_for(enum routine routine)
{
    return routine == ROUTINE_KeReleaseSemaphore ? LEVEL_PASSIVE_LEVEL
                                                 : LEVEL_APC_LEVEL;
}

void wait_pair_begin(struct kernel *kernel, enum routine routine)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct processor *processor = kernel_processor(kernel, cpu);
    uint8_t irql = irql_current(kernel, cpu);
    uint8_t level = level_of_pair(kernel);

    if (irql > irql_number(kernel, highest_for(routine))) {
        rule_warn(kernel, cpu, RULE_WAIT_PAIR_RAISED, routine);
    }
    processor->pair = (struct wait_pair){
        kthread_current(kernel), processor->irql.depth, irql};
    irql_raise(kernel, cpu, routine, irql > level ? irql : level);
    processor->before_call = end;
}

void wait_pair_abandon(struct kernel *kernel)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct processor *processor = kernel_processor(kernel, cpu);

    if (processor->before_call == end) {
        end(kernel, cpu, ROUTINE_COUNT);
    }
}
