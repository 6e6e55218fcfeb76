/* code_page.c - bytes of code page 1252 as UTF-16 and back. */
#include "api/rtl/code_page.h"

#include "api/core/kernel.h"
#include "api/mm/copy.h"
#include "api/text/character.h"

enum { FIRST = 0x80, COUNT = 0x20, PIECE = 64 };

/* 0x80 to 0x9F; the rest stands for itself. Bytes that the page does not define
 * are C1 controls, as Windows' table has them. */
static const uint16_t from_0x80[COUNT] = {0x20AC, 0x0081, 0x201A, 0x0192,
    0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E,
    0x0178};

uint16_t code_page_wide(uint8_t c)
{
    return c >= FIRST && c < FIRST + COUNT ? from_0x80[c - FIRST] : c;
}

uint8_t code_page_narrow(uint16_t c)
{
    if (c < FIRST || (c >= FIRST + COUNT && c <= UINT8_MAX)) {
        return (uint8_t)c;
    }
    for (unsigned i = 0; i < COUNT; i++) {
        if (from_0x80[i] == c) {
            return (uint8_t)(FIRST + i);
        }
    }
    return '?';
}

uint8_t code_page_upper(uint8_t c)
{
    uint16_t upper = character_upper(code_page_wide(c));
    uint8_t narrow = code_page_narrow(upper);

    return code_page_wide(narrow) == upper ? narrow : c;
}

static WCHAR convert(const struct code_page_copy *copy, WCHAR c)
{
    if (copy->from_unit == UNIT_NARROW) {
        return copy->to_unit == UNIT_NARROW ? code_page_upper((uint8_t)c)
                                            : code_page_wide((uint8_t)c);
    }
    if (copy->to_unit == UNIT_NARROW) {
        return code_page_narrow(c);
    }
    switch (copy->fold) {
    case CASE_KEPT:
        break;
    case CASE_UPPER:
        return character_upper(c);
    case CASE_LOWER:
        return character_lower(c);
    }
    return c;
}

void code_page_copy(struct kernel *kernel, const struct code_page_copy *copy)
{
    uint8_t *to = copy->to;

    assert(copy->fold == CASE_KEPT || copy->from_unit == copy->to_unit);
    copy_probe(kernel, copy->routine, copy->from,
        copy->length * (size_t)copy->from_unit, false);
    copy_probe(kernel, copy->routine, copy->to,
        copy->length * (size_t)copy->to_unit, true);
    for (size_t done = 0; done < copy->length;) {
        size_t count =
            copy->length - done < PIECE ? copy->length - done : PIECE;
        uint8_t piece[PIECE * UNIT_WIDE];

        for (size_t i = 0; i < count; i++) {
            WCHAR c =
                convert(copy, units_get(copy->from, copy->from_unit, done + i));

            memcpy(piece + i * copy->to_unit, &c, copy->to_unit);
        }
        memcpy(to + done * copy->to_unit, piece, count * copy->to_unit);
        done += count;
    }
}
