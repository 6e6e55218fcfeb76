/* unwind_info.c - UNWIND_INFO of an x64 function read from an image. */
#include "api/image/unwind_info.h"

#include <assert.h>

enum { FLAGS_KNOWN = UNWIND_EHANDLER | UNWIND_UHANDLER | UNWIND_CHAINED };

bool unwind_info_check(const struct unwind_info *info)
{
    assert(info->version == 1 || info->version == 2);
    assert((info->flags & ~FLAGS_KNOWN) == 0);
    assert(
        (info->flags & UNWIND_CHAINED) == 0 || info->flags == UNWIND_CHAINED);
    assert(info->frame_register < 16 && info->frame_offset % 16 == 0);
    return true;
}

bool unwind_info_read(const struct unwind_memory *memory, uint64_t base,
    const struct image_function *function, struct unwind_info *info)
{
    uint64_t at = base + function->unwind;
    uint8_t header[4];
    size_t size;

    if (function->unwind % 4 != 0 || function->begin >= function->end ||
        !memory->read(memory->context, at, header, sizeof(header))) {
        return false;
    }
    info->version = header[0] & 7;
    info->flags = header[0] >> 3;
    info->prolog_size = header[1];
    info->slot_count = header[2];
    info->frame_register = header[3] & 0xF;
    info->frame_offset = (uint8_t)(header[3] >> 4 << 4);
    if (info->version < 1 || info->version > 2 ||
        (info->flags & ~FLAGS_KNOWN) != 0) {
        return false;
    }
    if ((info->flags & UNWIND_CHAINED) != 0 && info->flags != UNWIND_CHAINED) {
        return false; /* a chained one has no handler of its own */
    }
    assert(unwind_info_check(info));
    size = info->slot_count * sizeof(info->slot[0]);
    /* The array has an even number of slots, the last perhaps unused. */
    info->tail = at + sizeof(header) + ((size + 3) & ~(size_t)3);
    return size == 0 ||
           memory->read(memory->context, at + sizeof(header), info->slot, size);
}

bool unwind_info_parent(const struct unwind_memory *memory,
    const struct unwind_info *info, struct image_function *parent)
{
    uint32_t row[3];

    assert((info->flags & UNWIND_CHAINED) != 0);
    if (!memory->read(memory->context, info->tail, row, sizeof(row))) {
        return false;
    }
    *parent = (struct image_function){row[0], row[1], row[2]};
    return true;
}
