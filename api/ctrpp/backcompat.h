/* backcompat.h - the routines that stand before the kernel's own in headers for
 * kernels that may have none (-backcompat, CTR-CLI-07). */
#ifndef API_CTRPP_BACKCOMPAT_H
#define API_CTRPP_BACKCOMPAT_H

#include "api/ctrpp/code_out.h"

/* Their names are this and the kernel's. */
#define BACKCOMPAT_PREFIX "Ctrpp"

/* Adds them. The first registration looks the kernel's up; when one is missing
 * they all succeed without doing anything, and handles are NULL. */
void backcompat_add(struct code_out *output);

#endif
