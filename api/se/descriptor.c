/* descriptor.c - security descriptors read, copied to one block, and put
 * together. */
#include "api/se/descriptor.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/mm/copy.h"
#include "api/se/acl.h"
#include "api/se/sid.h"

static bool is_acl(enum descriptor_part part)
{
    return part == DESCRIPTOR_SACL || part == DESCRIPTOR_DACL;
}

NTSTATUS descriptor_read(struct kernel *kernel, enum routine routine,
    struct descriptor *descriptor, const void *address)
{
    struct descriptor_absolute absolute;
    struct descriptor_relative relative;

    copy_in(
        kernel, routine, &descriptor->head, address, sizeof(descriptor->head));
    if (descriptor->head.revision != DESCRIPTOR_REVISION) {
        return STATUS_UNKNOWN_REVISION;
    }
    if ((descriptor->head.control & SE_SELF_RELATIVE) == 0) {
        copy_in(kernel, routine, &absolute, address, sizeof(absolute));
        memcpy(descriptor->part, absolute.part, sizeof(absolute.part));
        return STATUS_SUCCESS;
    }
    copy_in(kernel, routine, &relative, address, sizeof(relative));
    for (unsigned i = 0; i < DESCRIPTOR_PARTS; i++) {
        descriptor->part[i] =
            relative.part[i] == 0 ? 0 : (uintptr_t)address + relative.part[i];
    }
    return STATUS_SUCCESS;
}

static struct descriptor_relative *head_of(struct descriptor_block *block)
{
    return (struct descriptor_relative *)(void *)block->bytes;
}

static const struct descriptor_relative *head_in(
    const struct descriptor_block *block)
{
    return (const struct descriptor_relative *)(const void *)block->bytes;
}

/* Room behind what there is; NULL: there is none. */
static uint8_t *extend(
    struct descriptor_block *block, enum descriptor_part part, size_t size)
{
    uint8_t *at = &block->bytes[block->size];

    if (size > sizeof(block->bytes) - block->size) {
        return NULL;
    }
    head_of(block)->part[part] = (uint32_t)block->size;
    block->size += size;
    return at;
}

static NTSTATUS copy_sid(struct kernel *kernel, enum routine routine,
    struct descriptor_block *block, enum descriptor_part part,
    const void *address)
{
    struct sid sid;
    uint8_t *at;

    if (!sid_read(kernel, routine, &sid, address)) {
        return STATUS_INVALID_SID;
    }
    at = extend(block, part, sid_size(sid.count));
    if (at == NULL) {
        return STATUS_INVALID_SID;
    }
    memcpy(at, &sid, sid_size(sid.count));
    return STATUS_SUCCESS;
}

static NTSTATUS copy_acl(struct kernel *kernel, enum routine routine,
    struct descriptor_block *block, enum descriptor_part part,
    const void *address)
{
    struct acl acl;
    uint8_t *at;

    if (!acl_read(kernel, routine, &acl, address)) {
        return STATUS_INVALID_ACL;
    }
    at = extend(block, part, acl.size);
    if (at == NULL) {
        return STATUS_INVALID_ACL;
    }
    copy_in(kernel, routine, at, address, acl.size);
    return acl_is_right(at, acl.size) ? STATUS_SUCCESS : STATUS_INVALID_ACL;
}

/* The lists come first, as ours do [C]. */
static const enum descriptor_part order[DESCRIPTOR_PARTS] = {
    DESCRIPTOR_SACL, DESCRIPTOR_DACL, DESCRIPTOR_OWNER, DESCRIPTOR_GROUP};

NTSTATUS descriptor_copy(struct kernel *kernel, enum routine routine,
    const struct descriptor *descriptor, struct descriptor_block *block)
{
    NTSTATUS status = STATUS_SUCCESS;

    memset(block->bytes, 0, sizeof(struct descriptor_relative));
    block->size = sizeof(struct descriptor_relative);
    head_of(block)->head = descriptor->head;
    head_of(block)->head.control |= SE_SELF_RELATIVE;
    for (unsigned i = 0; NT_SUCCESS(status) && i < DESCRIPTOR_PARTS; i++) {
        enum descriptor_part part = order[i];
        const void *address = (const void *)(uintptr_t)descriptor->part[part];

        if (address != NULL) {
            status = is_acl(part)
                         ? copy_acl(kernel, routine, block, part, address)
                         : copy_sid(kernel, routine, block, part, address);
        }
    }
    return status;
}

const uint8_t *descriptor_part(
    const struct descriptor_block *block, enum descriptor_part part)
{
    uint32_t offset = head_in(block)->part[part];

    return offset == 0 ? NULL : &block->bytes[offset];
}

size_t descriptor_part_size(
    const struct descriptor_block *block, enum descriptor_part part)
{
    const uint8_t *at = descriptor_part(block, part);

    if (at == NULL) {
        return 0;
    }
    return is_acl(part) ? acl_size(at) : sid_size(at[1]);
}

/* What control says of a part. */
static uint16_t control_of(enum descriptor_part part)
{
    static const uint16_t bits[DESCRIPTOR_PARTS] = {
        [DESCRIPTOR_OWNER] = SE_OWNER_DEFAULTED,
        [DESCRIPTOR_GROUP] = SE_GROUP_DEFAULTED,
        [DESCRIPTOR_SACL] = SE_SACL_PRESENT | SE_SACL_DEFAULTED,
        [DESCRIPTOR_DACL] = SE_DACL_PRESENT | SE_DACL_DEFAULTED,
    };

    return bits[part];
}

bool descriptor_merge(const struct descriptor_block *first, unsigned wanted,
    const struct descriptor_block *second, struct descriptor_block *merged)
{
    memset(merged->bytes, 0, sizeof(struct descriptor_relative));
    merged->size = sizeof(struct descriptor_relative);
    head_of(merged)->head = (struct descriptor_head){
        .revision = DESCRIPTOR_REVISION, .control = SE_SELF_RELATIVE};
    for (unsigned i = 0; i < DESCRIPTOR_PARTS; i++) {
        enum descriptor_part part = order[i];
        const struct descriptor_block *from =
            (wanted & 1U << part) != 0 ? first : second;
        size_t size = from == NULL ? 0 : descriptor_part_size(from, part);
        uint8_t *at;

        if (from != NULL) {
            head_of(merged)->head.control |=
                head_in(from)->head.control & control_of(part);
        }
        if (size > 0) {
            at = extend(merged, part, size);
            if (at == NULL) {
                return false;
            }
            memcpy(at, &from->bytes[head_in(from)->part[part]], size);
        }
    }
    return true;
}

void descriptor_make(struct descriptor_block *block, const uint8_t *dacl,
    size_t dacl_bytes, const struct sid *owner, const struct sid *group)
{
    const struct {
        enum descriptor_part part;
        const void *bytes;
        size_t size;
    } parts[] = {{DESCRIPTOR_DACL, dacl, dacl_bytes},
        {DESCRIPTOR_OWNER, owner, sid_size(owner->count)},
        {DESCRIPTOR_GROUP, group, sid_size(group->count)}};

    memset(block->bytes, 0, sizeof(struct descriptor_relative));
    block->size = sizeof(struct descriptor_relative);
    head_of(block)->head =
        (struct descriptor_head){.revision = DESCRIPTOR_REVISION,
            .control = SE_SELF_RELATIVE | SE_DACL_PRESENT};
    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        uint8_t *at = extend(block, parts[i].part, parts[i].size);

        assert(at != NULL);
        memcpy(at, parts[i].bytes, parts[i].size);
    }
}
