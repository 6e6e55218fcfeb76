/* actor.c - the thread of an actor, which goes on in the strand of its next
 * step. */
#include <assert.h>

#include "scenarios/runner/run.h"
#include "sim/strand.h"

void actor_spawn(
    struct run *run, size_t actor, void (*main)(void *argument), void *argument)
{
    struct machine *machine = &run->session->machine;
    struct strand *strand =
        strand_spawn(machine_cpu(machine, run->actor[actor].processor), main,
            argument, &run->scenario->actor[actor].driver);

    assert(strand != NULL); /* there are more stacks than actors */
    (void)strand;
}

void actor_enter(struct run *run, size_t actor)
{
    *thread_current(&run->session->kernel) = run->actor[actor].thread;
}

void actor_leave(struct run *run, size_t actor)
{
    struct kernel *kernel = &run->session->kernel;

    run->actor[actor] = (struct actor_thread){
        .processor = kernel_cpu(kernel)->index,
        .thread = *thread_current(kernel),
    };
}
