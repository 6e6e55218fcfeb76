/* fault_scope.h - of which calls --fail-each takes those that fail, so that
 * what only sets a scenario up is left alone. */
#ifndef RUNNER_FAILURES_FAULT_SCOPE_H
#define RUNNER_FAILURES_FAULT_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "api/core/routine.h"
#include "scenarios/runner/run/run_settings.h"

struct kernel;
struct scenario;

struct fault_scope {
    struct run_words words; /* KEY=VALUE, each of which can be read */
    size_t first_step;      /* of the scenario's own: its ordinal */
    bool native;            /* some of its drivers have an image */
};

/* Whether the word can be read. Says on `errors` what is wrong with it, and
 * what to do. */
bool fault_scope_check(const char *word, FILE *errors);

/* What the words come to in a scenario, child of `context`: why they cannot be
 * had there; NULL: they can. */
const char *fault_scope_open(void *context, struct fault_scope *scope,
    const struct run_words *words, const struct scenario *scenario);

/* Whether the call that runs is one of them; `step` is the scenario's own that
 * is under way: its ordinal. */
bool fault_scope_has(const struct fault_scope *scope, struct kernel *kernel,
    enum routine routine, size_t step);

#endif
