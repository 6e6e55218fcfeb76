/* actor_thread.c - the thread of an actor, which goes on in the strand of its
 * next step. */
#include "scenarios/runner/run/actor_thread.h"

#include <assert.h>
#include <talloc.h>

#include "api/ke/dispatcher.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/ke/thread_switch.h"
#include "api/ps/user_mode.h"
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
    run->actor[actor].busy = true;
}

void actor_thread_make(struct run *run, size_t actor)
{
    assert(run->actor[actor].object == NULL);
    run->actor[actor].object = kthread_make(
        &run->session->kernel, scenario_driver(run->scenario, actor));
    run->actor[actor].thread.object = run->actor[actor].object;
}

bool actor_thread_is_to_come(const struct run *run, size_t actor)
{
    const struct actor *actors = run->scenario->actor;

    return run->actor[actor].object == NULL &&
           (actors[actor].later || actors[actors[actor].owner].later);
}

void actor_thread_make_all(struct run *run)
{
    const struct scenario *scenario = run->scenario;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (scenario->actor[i].image == NULL && !scenario->actor[i].system &&
            !actor_thread_is_to_come(run, i)) {
            actor_thread_make(run, i);
        }
    }
}

struct kthread *actor_thread_object(const struct run *run, size_t actor)
{
    assert(run->actor[actor].object != NULL);
    return run->actor[actor].object;
}

bool actor_thread_has_ended(struct run *run, size_t actor)
{
    const struct kthread *object = run->actor[actor].object;

    return object != NULL && object->ended;
}

struct look {
    struct run *run;
    size_t actor;
};

static void look_main(void *argument)
{
    const struct look *look = argument;

    actor_thread_enter(look->run, look->actor);
    actor_thread_leave(look->run, look->actor);
}

void actor_thread_look(struct run *run, size_t actor)
{
    struct look *look;

    if (run->actor[actor].busy || actor_thread_has_ended(run, actor)) {
        return;
    }
    look = talloc(run->context, struct look);
    assert(look != NULL);
    *look = (struct look){run, actor};
    actor_thread_spawn(run, actor, look_main, look);
}

void actor_thread_returns(struct run *run)
{
    if (run->scenario->asks_threads) {
        user_mode_return(&run->session->kernel);
    }
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
    if (actor_thread_has_ended(run, actor)) {
        thread_current(kernel)->object = NULL; /* somebody else's */
    }
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
    struct cpu *cpu;

    actor_thread_returns(run);
    cpu = kernel_cpu(kernel);
    if (thread_current(kernel)->object != NULL) {
        thread_switch_out(kernel, SWITCH_NONE);
        kthread_detach(thread_current(kernel)->object);
    }
    run->actor[actor] = (struct actor_thread){
        .processor = cpu->index,
        .thread = *thread_current(kernel),
        .level = kernel_processor(kernel, cpu)->irql,
        .object = run->actor[actor].object,
    };
}
