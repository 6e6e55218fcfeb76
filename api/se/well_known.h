/* well_known.h - SIDs that everybody knows, and SeExports, which leads drivers
 * to them. */
#ifndef API_SE_WELL_KNOWN_H
#define API_SE_WELL_KNOWN_H

#include "api/se/sid.h"

struct kernel;

enum well_known {
#define WELL_KNOWN(name, ...) WELL_KNOWN_##name,
#include "api/se/well_known.def"
    WELL_KNOWN_SIDS
};

const struct sid *well_known_sid(enum well_known name);

/* What the variable SeExports points to: an SE_EXPORTS in guest memory. */
void *well_known_exports(struct kernel *kernel);

#endif
