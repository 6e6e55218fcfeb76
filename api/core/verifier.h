/* verifier.h - Driver Verifier, which a machine may have turned on: what it
 * stops for, and how (verifier.def, VRF-01 [C]). */
#ifndef API_CORE_VERIFIER_H
#define API_CORE_VERIFIER_H

#include <stdint.h>

#include "api/core/bugcheck.h"
#include "api/core/rules.h"

struct verifier_row {
    enum bugcheck_code code;
    uint32_t violation;      /* the first parameter of that */
    const char *requirement; /* the id of what says so */
};

/* How a verifier stops the machine for the rule; NULL: it does not. */
const struct verifier_row *verifier_row(enum rule rule);

/* The parameters of its bug check: the first, and three that the pages describe
 * and the model does not have. No number is right for these. */
void verifier_parameters(
    const struct verifier_row *row, struct bugcheck_parameter parameter[4]);

#endif
