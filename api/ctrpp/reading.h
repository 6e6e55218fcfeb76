/* reading.h - a manifest while it is read: what its elements have to know of
 * each other. */
#ifndef API_CTRPP_READING_H
#define API_CTRPP_READING_H

#include "api/ctrpp/manifest.h"
#include "api/ctrpp/unique.h"

struct reading {
    void *context; /* of the manifest */
    const struct rulings *rulings;
    const struct ctrpp_settings *settings; /* of the code; NULL: none */
    struct manifest_problems *problems;
    struct manifest *manifest;
    struct unique *unique;
    size_t providers, sets, counters; /* read so far */
    bool meant_structs;   /* of the element read last: some misspelt one is */
    bool knows_instances; /* of the counterSet read last */
    bool knows_schema, knows_mode; /* their values were good */
};

#endif
