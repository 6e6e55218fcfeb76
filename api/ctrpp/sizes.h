/* sizes.h - the check of CTRPP_VERIFY_COUNTER_SIZES. */
#ifndef API_CTRPP_SIZES_H
#define API_CTRPP_SIZES_H

#include "api/ctrpp/manifest.h"
#include "api/ctrpp/output.h"

/* Adds assertions of the compiler for each counter of the set: that its field
 * has the size that its type demands, if any, and an offset of 16 bits. */
void sizes_add(struct output *output, const struct manifest_set *set);

#endif
