/* guest_text.c - text in a driver's memory up to its NUL, page by page. */
#include "api/core/guest_text.h"

#include <assert.h>
#include <string.h>

#include "sim/memory/memory.h"

/* Characters that lie in the page of the first, which may lie across its end.
 */
static size_t piece_at(uint64_t address, size_t unit, size_t most)
{
    size_t rest = MEMORY_PAGE_BYTES - address % MEMORY_PAGE_BYTES;
    size_t count = rest / unit == 0 ? 1 : rest / unit;

    count = count < GUEST_TEXT_PIECE ? count : GUEST_TEXT_PIECE;
    return count < most ? count : most;
}

/* Characters before the first NUL, or all `count`. */
static size_t before_nul(const uint8_t *text, size_t unit, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (text[i * unit] == 0 && text[i * unit + unit - 1] == 0) {
            return i;
        }
    }
    return count;
}

size_t guest_text_read(const struct guest_reader *reader, uint64_t address,
    size_t unit, void *buffer, size_t most)
{
    uint8_t *to = buffer;
    size_t used = 0;

    assert(unit == 1 || unit == 2);
    while (used < most) {
        uint64_t at = address + used * unit;
        size_t piece = piece_at(at, unit, most - used);
        size_t text;

        assert(piece > 0 && piece <= most - used);
        if (!reader->read(
                reader->context, to + used * unit, at, piece * unit)) {
            return GUEST_TEXT_FAULT;
        }
        text = before_nul(to + used * unit, unit, piece);
        used += text;
        if (text < piece) {
            break;
        }
    }
    return used;
}
