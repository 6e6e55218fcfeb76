/* check.h - one expectation, as it was read. */
#ifndef RUNNER_SCENARIO_CHECK_H
#define RUNNER_SCENARIO_CHECK_H

#include <stddef.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/yaml/yaml_tree.h"

/* One expectation, with the requirements that it tests. */
struct check {
    const struct check_kind *kind;
    const struct node *key;           /* where it stands */
    const struct node *value;         /* what is expected */
    const struct node *cites;         /* their list; NULL: none */
    const char *covers[CHECK_COVERS]; /* requirement ids; NULL after the last */
};

struct check_list {
    struct check *item;
    size_t count;
};

#endif
