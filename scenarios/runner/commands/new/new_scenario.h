/* new_scenario.h - the text of a scenario to begin with. */
#ifndef RUNNER_COMMANDS_NEW_NEW_SCENARIO_H
#define RUNNER_COMMANDS_NEW_NEW_SCENARIO_H

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "scenarios/runner/run/run.h"

/* What a call of a routine turned out to do. */
struct new_observed {
    const char *status;         /* NULL: it did not return one */
    enum bugcheck_code stopped; /* BUGCHECK_NONE: it went on */
    const struct rule_log *rules;
    size_t held[LEAK_COUNT]; /* how many of each it has made and nobody freed */
};

/* The example: a counter that is allocated and freed. Child of `context`. */
char *new_scenario_example(void *context, const char *id, const char *title);

/* One call with arguments of the right types, and what it does expected;
 * `observed` is NULL while that is not known. Child of `context`. */
char *new_scenario_call(void *context, const char *id, const char *title,
    const struct routine_row *routine, const struct new_observed *observed);

#endif
