/* read_checks.h - expect: what is expected of a step. */
#ifndef RUNNER_SCENARIO_READ_CHECKS_H
#define RUNNER_SCENARIO_READ_CHECKS_H

#include "scenarios/runner/scenario/reader.h"

void read_checks(
    struct reader *reader, const struct node *node, struct step *step);

/* What a parallel step asserts, always or at its end. */
void read_assertions(struct reader *reader, const struct node *node,
    struct step *step, struct check **check, size_t *count);

/* The ids of a covers list. */
void read_covers(struct reader *reader, const struct node *node,
    const char *covers[CHECK_COVERS]);

/* Whether the step can have the expectation, and its form. */
#define CHECK(name, spelling, function, ...)                                   \
    void check_##function(struct reader *reader, const struct step *step,      \
        const struct node *key, const struct node *value);
#include "scenarios/runner/language/checks.def"

#endif
