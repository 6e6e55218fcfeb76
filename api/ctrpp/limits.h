/* limits.h - how large a manifest may be. */
#ifndef API_CTRPP_LIMITS_H
#define API_CTRPP_LIMITS_H

#include <stddef.h>

enum manifest_limit {
#define LIMIT(name, ...) MANIFEST_LIMIT_##name,
#include "api/ctrpp/limits.def"
    MANIFEST_LIMITS
};

enum {
#define LIMIT(name, most, ...) MANIFEST_MOST_##name = most,
#include "api/ctrpp/limits.def"
};

struct manifest_limit_row {
    size_t most;
    const char *counted;
    const char *hint;
};

extern const struct manifest_limit_row manifest_limit_rows[MANIFEST_LIMITS];

#endif
