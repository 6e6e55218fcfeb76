/* step_view.h - what --step shows while an instance runs: each step, what it
 * did, and what has changed since the step that was shown before it. */
#ifndef RUNNER_RUN_STEP_VIEW_H
#define RUNNER_RUN_STEP_VIEW_H

#include <stdio.h>

struct outcome;
struct run;
struct step_view;

/* Writes to `out`. Child of `context`. */
struct step_view *step_view_new(void *context, FILE *out);

/* Writes there from now on; flushed after each step, so that a process which
 * does not get any further has shown what it did. */
void step_view_redirect(struct step_view *view, FILE *out);

/* Writes what was shown elsewhere, by somebody who is not believed. */
void step_view_forward(struct step_view *view, const void *text, size_t length);

/* The instance begins, a step of it was evaluated. Neither does anything where
 * the session has no view. */
void step_view_begin(const struct run *run);
void step_view_show(const struct run *run, const struct outcome *outcome);

#endif
