/* wrappers.h - the functions that are generated for one counter set. */
#ifndef API_CTRPP_WRAPPERS_H
#define API_CTRPP_WRAPPERS_H

#include "api/ctrpp/code_out.h"
#include "api/ctrpp/set_names.h"

/* Init, Register, Unregister, Create, Close and Add, in this order, each after
 * an empty line. */
void wrappers_add(struct code_out *output, const struct manifest_set *set,
    const struct set_names *names);

#endif
