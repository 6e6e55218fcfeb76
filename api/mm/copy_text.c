/* copy_text.c - text in a driver's memory, read by copy_in(). */
#include "api/mm/copy_text.h"

#include "api/mm/copy.h"

static bool read_by_copy(void *context, void *to, uint64_t address, size_t size)
{
    const struct copy_text_source *source = context;

    copy_in(source->kernel, source->routine, to,
        (const void *)(uintptr_t)address, size);
    return true;
}

struct guest_reader copy_text_reader(struct copy_text_source *source)
{
    return (struct guest_reader){.context = source, .read = read_by_copy};
}

size_t copy_text_length(struct kernel *kernel, enum routine routine,
    const void *address, size_t unit, size_t most)
{
    struct copy_text_source source = {kernel, routine};
    const struct guest_reader reader = copy_text_reader(&source);
    uint8_t piece[2 * GUEST_TEXT_PIECE];
    size_t length = 0;

    while (length < most) {
        size_t wanted =
            most - length < GUEST_TEXT_PIECE ? most - length : GUEST_TEXT_PIECE;
        size_t got = guest_text_read(&reader,
            (uint64_t)(uintptr_t)address + length * unit, unit, piece, wanted);

        length += got;
        if (got < wanted) {
            break;
        }
    }
    return length;
}
