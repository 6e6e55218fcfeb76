/* guid_text.h - GUIDs in generated C. */
#ifndef API_CTRPP_GUID_TEXT_H
#define API_CTRPP_GUID_TEXT_H

#include "api/ctrpp/code_out.h"
#include "api/ctrpp/manifest.h"

/* {01234567-89AB-CDEF-0123-456789ABCDEF} */
void guid_add(struct code_out *output, const struct manifest_guid *guid);

/* The value of a GUID, in braces. */
void guid_add_initializer(
    struct code_out *output, const struct manifest_guid *guid);

/* Begins the include guard of what is made of the provider of that GUID: no two
 * have the same, with two prefixes one has two. `kind` tells its headers apart.
 */
void guid_add_guard(struct code_out *output, const struct manifest_guid *guid,
    const char *prefix, const char *kind);

/* What that guard is called, child of `context`. */
char *guid_guard_of(void *context, const struct manifest_guid *guid,
    const char *prefix, const char *kind);

#endif
