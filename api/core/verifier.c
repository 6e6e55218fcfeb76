/* verifier.c - what Driver Verifier stops the machine for. */
#include "api/core/verifier.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"

static const struct verifier_row verifier_rows[RULE_COUNT] = {
#define VIOLATION(rule, by, code, violation, requirement)                      \
    [RULE_##rule] = {VERIFIER_##by, BUGCHECK_##code, violation, requirement},
#include "api/core/verifier.def"
};

static const struct verifier_case cases[] = {
#define VIOLATION_IN(rule, routine, by, code, violation, requirement)          \
    {RULE_##rule, ROUTINE_##routine,                                           \
        {VERIFIER_##by, BUGCHECK_##code, violation, requirement}},
#include "api/core/verifier.def"
};

const struct verifier_case *verifier_cases(size_t *count)
{
    *count = sizeof(cases) / sizeof(cases[0]);
    return cases;
}

const struct verifier_row *verifier_row(enum rule rule, enum routine routine)
{
    assert(rule < RULE_COUNT);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (cases[i].rule == rule && cases[i].routine == routine) {
            return &cases[i].row;
        }
    }
    return &verifier_rows[rule];
}

const struct verifier_row *verifier_of(
    const struct kernel *kernel, enum rule rule, enum routine routine)
{
    const struct verifier_row *row = verifier_row(rule, routine);

    return kernel->verifier && row->by == VERIFIER_MACHINE ? row : NULL;
}

void verifier_parameters(
    const struct verifier_row *row, struct bugcheck_parameter parameter[4])
{
    parameter[0] = (struct bugcheck_parameter){.value = row->violation};
    for (unsigned i = 1; i < 4; i++) {
        parameter[i] = (struct bugcheck_parameter){.name = "not modelled"};
    }
}
