/* read_checks.h - expect: what is expected of a step. */
#ifndef RUNNER_SCENARIO_READ_CHECKS_H
#define RUNNER_SCENARIO_READ_CHECKS_H

#include "scenarios/runner/scenario/reader.h"

void read_checks(
    struct reader *reader, const struct node *node, struct step *step);

/* What a step asserts of those inside of it, always or at its end. */
void read_assertions(struct reader *reader, const struct node *node,
    const struct step *step, struct check_list *list);

/* Reports that the step has nothing of what the key is about; `instead`: who
 * has. */
void read_checks_no_result(struct reader *reader, const struct step *step,
    const struct node *key, const char *instead);

/* The ids of a covers list. */
void read_covers(struct reader *reader, const struct node *node,
    const char *covers[CHECK_COVERS]);

#endif
