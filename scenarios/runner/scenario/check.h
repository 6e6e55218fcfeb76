/* check.h - one expectation, as it was read. */
#ifndef RUNNER_SCENARIO_CHECK_H
#define RUNNER_SCENARIO_CHECK_H

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/yaml/yaml_tree.h"

enum check_kind {
#define CHECK(name, ...) CHECK_##name,
#include "scenarios/runner/language/checks.def"
    CHECK_KIND_COUNT
};

/* One expectation, with the requirements that it tests. */
struct check {
    enum check_kind kind;
    const struct node *key;           /* where it stands */
    const struct node *value;         /* what is expected */
    const char *covers[CHECK_COVERS]; /* requirement ids; NULL after the last */
};

#endif
