/* act_parallel.c - the actors' steps interleave as the scheduler chooses. */
#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/run/actor_thread.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

struct branch_run {
    struct run *run;
    const struct branch *branch;
    struct outcome *outer;
    bool done;
};

struct branches {
    struct branch_run *item;
    size_t count;
};

static void branch_main(void *argument)
{
    struct branch_run *branch = argument;
    const struct inside inside = {
        .outer = branch->outer, .parallel = branch->outer};

    actor_thread_enter(branch->run, branch->branch->actor);
    run_steps_here(branch->run, &branch->branch->steps, &inside);
    actor_thread_leave(branch->run, branch->branch->actor);
    branch->done = true;
}

static bool branches_done(void *argument)
{
    const struct branches *branches = argument;

    for (size_t i = 0; i < branches->count; i++) {
        if (!branches->item[i].done) {
            return false;
        }
    }
    return true;
}

void act_parallel(struct run *run, struct outcome *outcome)
{
    const struct step_parallel *parallel = &outcome->step->u.parallel;
    struct machine *machine = &run->session->machine;
    struct branches branches = {.count = parallel->count};

    branches.item = talloc_zero_array(
        run->context, struct branch_run, (unsigned)parallel->count);
    for (size_t i = 0; i < parallel->count; i++) {
        const struct branch *branch = &parallel->branch[i];

        branches.item[i] = (struct branch_run){run, branch, outcome, false};
        actor_thread_spawn(run, branch->actor, branch_main, &branches.item[i]);
    }
    strand_wait(machine, STRAND_BLOCKED, branches_done, &branches);
}

/* Read as parallel. */
void act_each(struct run *run, struct outcome *outcome)
{
    (void)run;
    (void)outcome;
    assert(false && "each is read as parallel");
}

/* Its steps are steps of whoever has it. */
void act_use(struct run *run, struct outcome *outcome)
{
    (void)run;
    (void)outcome;
    assert(false && "use is no action of its own");
}
