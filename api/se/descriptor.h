/* descriptor.h - security descriptors: in a driver's memory, absolute or in one
 * block, and as the kernel keeps them, in one block. */
#ifndef API_SE_DESCRIPTOR_H
#define API_SE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;
struct sid;

enum {
    DESCRIPTOR_REVISION = 1,
    /* Control (SEC-04). */
    SE_DACL_PRESENT = 0x4,
    SE_DACL_DEFAULTED = 0x8,
    SE_SACL_PRESENT = 0x10,
    SE_SACL_DEFAULTED = 0x20,
    SE_OWNER_DEFAULTED = 0x1,
    SE_GROUP_DEFAULTED = 0x2,
    SE_SELF_RELATIVE = 0x8000,
    DESCRIPTOR_BYTES = 4096, /* of one that can be copied [C] */
};

enum descriptor_part {
    DESCRIPTOR_OWNER,
    DESCRIPTOR_GROUP,
    DESCRIPTOR_SACL,
    DESCRIPTOR_DACL,
    DESCRIPTOR_PARTS
};

/* Absolute, 40 bytes; with SE_SELF_RELATIVE offsets of 32 bits from its start
 * instead, 20 bytes. */
struct descriptor_head {
    uint8_t revision, reserved;
    uint16_t control;
};

struct descriptor_absolute {
    struct descriptor_head head;
    uint32_t padding;
    uint64_t part[DESCRIPTOR_PARTS];
};

struct descriptor_relative {
    struct descriptor_head head;
    uint32_t part[DESCRIPTOR_PARTS];
};

_Static_assert(sizeof(struct descriptor_absolute) == 40, "absolute");
_Static_assert(sizeof(struct descriptor_relative) == 20, "self-relative");

/* A driver's: addresses of its parts, 0 where it has none. */
struct descriptor {
    struct descriptor_head head;
    uint64_t part[DESCRIPTOR_PARTS];
};

/* May raise. STATUS_UNKNOWN_REVISION. */
NTSTATUS descriptor_read(struct kernel *kernel, enum routine routine,
    struct descriptor *descriptor, const void *address);

/* A whole one in one block. */
struct descriptor_block {
    size_t size;
    uint8_t bytes[DESCRIPTOR_BYTES];
};

/* Copies it, which may raise. STATUS_INVALID_SID, STATUS_INVALID_ACL. */
NTSTATUS descriptor_copy(struct kernel *kernel, enum routine routine,
    const struct descriptor *descriptor, struct descriptor_block *block);

/* Its parts that `wanted` has a bit for, from both: those of the first, else
 * those of the second. Returns false when there is no room for all. */
bool descriptor_merge(const struct descriptor_block *first, unsigned wanted,
    const struct descriptor_block *second, struct descriptor_block *merged);

/* One of a list, an owner and a group. */
void descriptor_make(struct descriptor_block *block, const uint8_t *dacl,
    size_t dacl_bytes, const struct sid *owner, const struct sid *group);

/* A part of it; NULL: it has none. */
const uint8_t *descriptor_part(
    const struct descriptor_block *block, enum descriptor_part part);

/* Bytes of a part; 0: it has none. */
size_t descriptor_part_size(
    const struct descriptor_block *block, enum descriptor_part part);

#endif
