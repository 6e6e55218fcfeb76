/* state_text.h - the state of machine and kernel at one moment as texts with
 * names, so that people can compare it with another. Reading it costs no time
 * and counts nothing. */
#ifndef RUNNER_RUN_STATE_TEXT_H
#define RUNNER_RUN_STATE_TEXT_H

#include <stddef.h>

#include "scenarios/runner/run/run.h"

struct state_line;

/* What there is to look at in a scenario: each of a processor's first, then
 * those that there is one of for all. */
struct state_lines {
    struct state_line *item;
    size_t count;
    size_t per_cpu; /* of those */
};

/* Child of `context`. */
struct state_lines *state_lines_new(
    void *context, const struct scenario *scenario);

/* Its name: irql, counters of drvA, IA32_PMC0. */
const char *state_line_name(const struct state_lines *lines, size_t line);

/* One moment. */
struct state {
    const char **text; /* use state_text() */
};

/* Child of `context`. */
struct state *state_take(
    void *context, const struct state_lines *lines, const struct run *run);

/* The line's text on a processor, on 0 where there is one for all; "" where the
 * processor has no such register. */
const char *state_text(const struct state_lines *lines,
    const struct state *state, size_t line, uint32_t processor);

#endif
