/* absolute_routine.c - RtlSelfRelativeToAbsoluteSD: a descriptor of one block
 * taken apart, each part where the caller wants it. */
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/se/descriptor.h"

/* The caller's memory for a part, and the bytes of it. */
struct room {
    PVOID memory;
    PULONG size;
};

static ULONG copy_size(
    struct kernel *kernel, enum routine routine, const ULONG *size)
{
    ULONG bytes;

    copy_in(kernel, routine, &bytes, size, sizeof(bytes));
    copy_probe(kernel, routine, size, sizeof(bytes), true);
    return bytes;
}

/* Writes what each takes; returns whether all have room. */
static bool has_room(struct kernel *kernel, enum routine routine,
    const struct room *whole, const struct room rooms[DESCRIPTOR_PARTS],
    const struct descriptor_block *block)
{
    const ULONG head = sizeof(struct descriptor_absolute);
    bool enough = copy_size(kernel, routine, whole->size) >= head;

    for (unsigned i = 0; i < DESCRIPTOR_PARTS; i++) {
        enough &= copy_size(kernel, routine, rooms[i].size) >=
                  descriptor_part_size(block, i);
    }
    copy_out(kernel, routine, whole->size, &head, sizeof(head));
    for (unsigned i = 0; i < DESCRIPTOR_PARTS; i++) {
        ULONG needed = (ULONG)descriptor_part_size(block, i);

        copy_out(kernel, routine, rooms[i].size, &needed, sizeof(needed));
    }
    return enough;
}

static NTSTATUS read(struct kernel *kernel, enum routine routine,
    const void *address, struct descriptor_block *block)
{
    struct descriptor descriptor;
    NTSTATUS status = descriptor_read(kernel, routine, &descriptor, address);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    return (descriptor.head.control & SE_SELF_RELATIVE) == 0
               ? STATUS_BAD_DESCRIPTOR_FORMAT
               : descriptor_copy(kernel, routine, &descriptor, block);
}

NTSTATUS RtlSelfRelativeToAbsoluteSD_body(PVOID SelfRelativeSecurityDescriptor,
    PVOID AbsoluteSecurityDescriptor, PULONG AbsoluteSecurityDescriptorSize,
    PVOID Dacl, PULONG DaclSize, PVOID Sacl, PULONG SaclSize, PVOID Owner,
    PULONG OwnerSize, PVOID PrimaryGroup, PULONG PrimaryGroupSize)
{
    const enum routine routine = ROUTINE_RtlSelfRelativeToAbsoluteSD;
    struct kernel *kernel = kernel_current();
    const struct room whole = {
        AbsoluteSecurityDescriptor, AbsoluteSecurityDescriptorSize};
    const struct room rooms[DESCRIPTOR_PARTS] = {
        [DESCRIPTOR_OWNER] = {Owner, OwnerSize},
        [DESCRIPTOR_GROUP] = {PrimaryGroup, PrimaryGroupSize},
        [DESCRIPTOR_SACL] = {Sacl, SaclSize},
        [DESCRIPTOR_DACL] = {Dacl, DaclSize}};
    struct descriptor_absolute absolute = {.padding = 0};
    struct descriptor_block block;
    NTSTATUS status =
        read(kernel, routine, SelfRelativeSecurityDescriptor, &block);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (!has_room(kernel, routine, &whole, rooms, &block)) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    memcpy(&absolute.head, block.bytes, sizeof(absolute.head));
    absolute.head.control &= (uint16_t)~SE_SELF_RELATIVE;
    for (unsigned i = 0; i < DESCRIPTOR_PARTS; i++) {
        const uint8_t *part = descriptor_part(&block, i);

        if (part != NULL) {
            absolute.part[i] = (uintptr_t)rooms[i].memory;
            copy_out(kernel, routine, rooms[i].memory, part,
                descriptor_part_size(&block, i));
        }
    }
    copy_out(kernel, routine, whole.memory, &absolute, sizeof(absolute));
    return STATUS_SUCCESS;
}
