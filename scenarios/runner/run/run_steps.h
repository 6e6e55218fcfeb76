/* run_steps.h - the steps of a scenario, one after another: on the machine as a
 * whole, or as code of a strand that is running already. */
#ifndef RUNNER_RUN_RUN_STEPS_H
#define RUNNER_RUN_RUN_STEPS_H

#include <stdbool.h>

struct cpu;
struct driver;
struct outcome;
struct run;
struct step;
struct step_list;

/* All steps, those of finally too, and what never ran. */
void run_scenario_steps(struct run *run);

/* One of the scenario's own steps, whether it is its turn or not, on the first
 * of its processors. */
void run_own_step(struct run *run, const struct step *step);

/* Whether the step's `when`, which it has, is met; why it cannot be said is
 * reported. */
bool run_meets_when(struct run *run, const struct step *step);

/* The step does not run: it counts as evaluated, with all inside of it. */
void run_mark_left_out(struct run *run, const struct step *step);

/* Expectations of steps and callbacks that never ran are failures. */
void run_report_unevaluated(struct run *run);

/* main(argument) runs on a processor, for `owner`, after the last step, to its
 * end; a machine that does not get there is a failure. */
void run_strand(struct run *run, struct cpu *cpu, void (*main)(void *argument),
    void *argument, const struct driver *owner);

/* What steps are run as part of, that are code of a strand. */
struct inside {
    struct outcome *outer;
    struct outcome *parallel; /* of a branch; NULL: no branch */
};

/* Runs the steps one after another as code of the strand that is running, and
 * evaluates each. */
void run_steps_here(struct run *run, const struct step_list *steps,
    const struct inside *inside);

#endif
