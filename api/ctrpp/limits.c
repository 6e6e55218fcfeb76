/* limits.c - how large a manifest may be: the rows of limits.def. */
#include "api/ctrpp/limits.h"

const struct manifest_limit_row manifest_limit_rows[MANIFEST_LIMITS] = {
#define LIMIT(name, most, counted, hint)                                       \
    [MANIFEST_LIMIT_##name] = {most, counted, hint},
#include "api/ctrpp/limits.def"
};
