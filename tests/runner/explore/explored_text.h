/* explored_text.h - one scenario of a test's own, whose schedules are tried.
 */
#ifndef TESTS_RUNNER_EXPLORE_EXPLORED_TEXT_H
#define TESTS_RUNNER_EXPLORE_EXPLORED_TEXT_H

#include "scenarios/runner/run/batch.h"

/* Two calls of each of two actors, a preemption point each: usually there are
 * six choices between them. */
extern const char explored_two_actors[];

struct explored_text {
    void *memory;
    char *directory;
    struct batch batch;
    struct batch_result result;
};

/* Explores the scenario, which has one instance and no driver. `settings` with
 * one job and time enough. What came of it is in `result` until it is released.
 */
void explored_text_run(struct explored_text *explored, const char *text,
    struct run_settings settings);
void explored_text_release(struct explored_text *explored);

#endif
