/* actor_thread.c - the thread of an actor, which goes on in the strand of its
 * next step. */
#include "scenarios/runner/run/actor_thread.h"

#include <assert.h>

#include "api/ke/dispatcher.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/ke/thread_switch.h"
#include "scenarios/runner/run/run.h"
#include "sim/machine/strand.h"

void actor_thread_spawn(
    struct run *run, size_t actor, void (*main)(void *argument), void *argument)
{
    struct machine *machine = &run->session->machine;
    struct strand *strand =
        strand_spawn(machine_cpu(machine, run->actor[actor].processor), main,
            argument, scenario_driver(run->scenario, actor));

    assert(strand != NULL); /* there are more stacks than actors */
    (void)strand;
}

static bool is_below_dispatch(
    const struct kernel *kernel, const struct irql_state *level)
{
    return level->current < irql_number(kernel, LEVEL_DISPATCH_LEVEL);
}

/* Below DISPATCH_LEVEL the level is the thread's; above, the processor's. */
void actor_thread_enter(struct run *run, size_t actor)
{
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    const struct irql_state *own = &run->actor[actor].level;

    *thread_current(kernel) = run->actor[actor].thread;
    if (run->actor[actor].thread.object != NULL) {
        kthread_attach(
            run->actor[actor].thread.object, strand_current(kernel->machine));
        thread_switch_in(kernel);
    }
    dispatcher_look(kernel, cpu);
    if (is_below_dispatch(kernel, own) &&
        is_below_dispatch(kernel, &kernel_processor(kernel, cpu)->irql)) {
        irql_bring(kernel, cpu, own);
    }
}

void actor_thread_leave(struct run *run, size_t actor)
{
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = kernel_cpu(kernel);

    if (thread_current(kernel)->object != NULL) {
        thread_switch_out(kernel, SWITCH_NONE);
        kthread_detach(thread_current(kernel)->object);
    }
    run->actor[actor] = (struct actor_thread){
        .processor = cpu->index,
        .thread = *thread_current(kernel),
        .level = kernel_processor(kernel, cpu)->irql,
    };
}
