/* problems.c - the list of problems, kept in the order of their places. */
#include "api/ctrpp/problems.h"

#include <assert.h>
#include <stdarg.h>
#include <talloc.h>

const struct manifest_problem_row
    manifest_problem_rows[MANIFEST_PROBLEM_COUNT] = {
#define PROBLEM(name, code, severity, requirements, text)                      \
    [MANIFEST_PROBLEM_##name] = {code, MANIFEST_##severity, requirements, text},
#include "api/ctrpp/problems.def"
};

struct manifest_problems *manifest_problems_new(void *context)
{
    struct manifest_problems *problems =
        talloc_zero(context, struct manifest_problems);

    assert(problems != NULL);
    return problems;
}
