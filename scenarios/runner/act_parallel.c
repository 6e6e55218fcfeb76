/* act_parallel.c - the actors' steps interleave as the scheduler chooses. */
#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/run.h"
#include "sim/strand.h"

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

    run_steps_here(branch->run, &branch->branch->steps, branch->outer);
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
        const struct actor *actor = &run->scenario->actor[branch->actor];
        uint32_t home = (uint32_t)branch->actor % machine->config.processors;
        struct strand *strand;

        branches.item[i] = (struct branch_run){run, branch, outcome, false};
        strand = strand_spawn(machine_cpu(machine, home), branch_main,
            &branches.item[i], &actor->driver);
        assert(strand != NULL); /* there are more stacks than actors */
        (void)strand;
    }
    strand_wait(machine, STRAND_BLOCKED, branches_done, &branches);
}
