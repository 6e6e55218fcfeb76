/* run_guarded.h - code of a step on its processor, with an exception caught
 * where the step expects one. */
#ifndef RUNNER_RUN_RUN_GUARDED_H
#define RUNNER_RUN_RUN_GUARDED_H

#include <stdbool.h>

struct kernel;
struct outcome;
struct run;

/* Runs `code` on the step's processor, and notes an exception that the step
 * expects. */
void run_guarded(struct run *run, struct outcome *outcome,
    void (*code)(struct run *run, struct outcome *outcome));

/* Whether a program's code runs: a step of its own, or of an APC. */
bool run_guarded_by_program(struct kernel *kernel);

#endif
