/* sizes.h - the check of CTRPP_VERIFY_COUNTER_SIZES. */
#ifndef API_CTRPP_SIZES_H
#define API_CTRPP_SIZES_H

#include "api/ctrpp/manifest.h"
#include "api/ctrpp/output.h"

/* Adds an assertion of the compiler for each counter of the set whose type
 * demands a size. */
void sizes_add(struct output *output, const struct manifest_set *set);

#endif
