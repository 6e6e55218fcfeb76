/* verifier.c - what Driver Verifier stops the machine for. */
#include "api/core/verifier.h"

#include <assert.h>
#include <stddef.h>

static const struct verifier_row verifier_rows[RULE_COUNT] = {
#define VIOLATION(rule, code, violation, requirement)                          \
    [RULE_##rule] = {BUGCHECK_##code, violation, requirement},
#include "api/core/verifier.def"
};

const struct verifier_row *verifier_row(enum rule rule)
{
    assert(rule < RULE_COUNT);
    return verifier_rows[rule].violation == 0 ? NULL : &verifier_rows[rule];
}

void verifier_parameters(
    const struct verifier_row *row, struct bugcheck_parameter parameter[4])
{
    parameter[0] = (struct bugcheck_parameter){.value = row->violation};
    for (unsigned i = 1; i < 4; i++) {
        parameter[i] = (struct bugcheck_parameter){.name = "not modelled"};
    }
}
