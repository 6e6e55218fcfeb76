/* verifier.h - Driver Verifier: what it stops the machine for, and how
 * (verifier.def). */
#ifndef API_CORE_VERIFIER_H
#define API_CORE_VERIFIER_H

#include <stdint.h>

#include "api/core/bugcheck.h"
#include "api/core/rules.h"

/* Who asks whether it stops. */
enum verifier_by {
    VERIFIER_NOBODY,
    VERIFIER_MACHINE,  /* a machine that has one (VRF-01 [C]) */
    VERIFIER_INTEGRITY /* its code integrity checks (CI-08 [C], integrity.h) */
};

struct verifier_row {
    enum verifier_by by; /* VERIFIER_NOBODY: no verifier stops for the rule */
    enum bugcheck_code code;
    uint32_t violation;      /* the first parameter of that */
    const char *requirement; /* the id of what says so */
};

/* What is so where one routine reports the rule. */
struct verifier_case {
    enum rule rule;
    enum routine routine;
    struct verifier_row row;
};

/* How a verifier stops the machine for the rule in the routine; ROUTINE_COUNT:
 * in none of those that have a code of their own. */
const struct verifier_row *verifier_row(enum rule rule, enum routine routine);

/* All of those, in their order; how many is *count. */
const struct verifier_case *verifier_cases(size_t *count);

/* How that of the machine does; NULL: it has none, or that does not stop. */
const struct verifier_row *verifier_of(
    const struct kernel *kernel, enum rule rule, enum routine routine);

/* The parameters of its bug check: the first, and three that the pages describe
 * and the model does not have. No number is right for these. */
void verifier_parameters(
    const struct verifier_row *row, struct bugcheck_parameter parameter[4]);

#endif
