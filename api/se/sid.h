/* sid.h - SIDs: who somebody is, in a driver's memory and in ours. */
#ifndef API_SE_SID_H
#define API_SE_SID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

enum {
    SID_REVISION = 1,
    SID_SUB_AUTHORITIES = 15,
    SID_HEAD_BYTES = 8,
    SID_BYTES = SID_HEAD_BYTES + 4 * SID_SUB_AUTHORITIES,
    SID_TEXT_UNITS = 192, /* of the longest one, with its NUL */
};

/* As it lies in memory (SEC-04). */
struct sid {
    uint8_t revision, count;
    uint8_t authority[6]; /* big-endian */
    uint32_t sub[SID_SUB_AUTHORITIES];
};

_Static_assert(sizeof(struct sid) == SID_BYTES, "SID");

/* Bytes of one with so many sub-authorities. */
size_t sid_size(uint8_t count);

/* Copies a driver's, which may raise. Returns whether it is one. */
bool sid_read(struct kernel *kernel, enum routine routine, struct sid *sid,
    const void *address);

/* Whether those bytes begin with a whole one. */
bool sid_is_at(const uint8_t *bytes, size_t size);

#endif
