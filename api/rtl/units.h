/* units.h - characters of a driver's text where they lie, one byte or two each:
 * read and written without a thought of alignment, by whoever has probed them.
 */
#ifndef API_RTL_UNITS_H
#define API_RTL_UNITS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "api/core/routine.h"

struct kernel;

/* The size of a character. */
enum unit { UNIT_NARROW = 1, UNIT_WIDE = 2 };

static inline WCHAR units_get(const void *text, enum unit unit, size_t i)
{
    WCHAR c = 0;

    assert(unit == UNIT_NARROW || unit == UNIT_WIDE);
    memcpy(&c, (const uint8_t *)text + i * unit, unit); /* low byte first */
    return c;
}

/* So many bytes behind an address, which may be nobody's. */
static inline void *units_behind(const void *at, size_t bytes)
{
    return (void *)((uintptr_t)at + bytes);
}

/* The text of a counted string, of which Length counts. */
struct units {
    const uint8_t *at;
    enum unit unit;
    size_t length; /* characters */
};

static inline WCHAR units_at(const struct units *units, size_t i)
{
    assert(i < units->length);
    return units_get(units->at, units->unit, i);
}

/* Of a driver's UNICODE_STRING or STRING, which has the same members. Its
 * characters can be read from then on. It may raise. */
struct units units_of_string(struct kernel *kernel, enum routine routine,
    const void *string, enum unit unit);

#endif
