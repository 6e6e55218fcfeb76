/* header_names.h - whether what the generated headers define can be called so.
 */
#ifndef API_CTRPP_HEADER_NAMES_H
#define API_CTRPP_HEADER_NAMES_H

#include "api/ctrpp/generate.h"

/* Adds an error, at its symbol, for each name that a header would define and
 * that is a word of C or of what it includes, a struct's type, or another name
 * of the same header; and for each type and field that C has no place for
 * (CTR-GEN-01). A name that only the other header has, which `settings` may ask
 * for as well, is a warning: nobody has to include both (CTR-GEN-05b [C]). Sets
 * that lack a symbol or a part of a struct are left out. The manifest is one of
 * kernel mode, and its places are known. */
void header_names_check(const struct manifest *manifest,
    const struct ctrpp_settings *settings, struct manifest_problems *problems);

#endif
