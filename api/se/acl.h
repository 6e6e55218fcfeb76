/* acl.h - access control lists: who may do what. */
#ifndef API_SE_ACL_H
#define API_SE_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

enum {
    ACL_REVISION = 2,
    ACL_REVISION_HIGHEST = 4,
    ACCESS_ALLOWED_ACE_TYPE = 0,
    ACE_SID_OFFSET = 8,
    ACL_BYTES = 4096, /* of one that is changed [C] */
};

/* Its head (SEC-04). */
struct acl {
    uint8_t revision, reserved;
    uint16_t size; /* bytes of all that there is room for */
    uint16_t count, reserved_2;
};

struct ace {
    uint8_t type, flags;
    uint16_t size;
    uint32_t mask;
};

_Static_assert(sizeof(struct acl) == 8, "ACL");
_Static_assert(sizeof(struct ace) == ACE_SID_OFFSET, "ACCESS_ALLOWED_ACE");

/* Copies the head of a driver's, which may raise. Returns whether it can be
 * one.
 */
bool acl_read(struct kernel *kernel, enum routine routine, struct acl *acl,
    const void *address);

/* The size in the head of a list; and whether all entries are in the list and
 * have a SID. */
size_t acl_size(const uint8_t *bytes);
bool acl_is_right(const uint8_t *bytes, size_t size);

/* Adds an entry to the list in these bytes, for which there is room. */
void acl_allow(uint8_t *bytes, uint32_t mask, const uint8_t *sid);

#endif
