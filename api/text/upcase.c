/* upcase.c - a table of all code units, made at the first use: the same on
 * every host with the same libunistring. */
#include "api/text/upcase.h"

#include <stdbool.h>
#include <unicase.h>

enum { UNITS = 0x10000 };

/* Unicode gives halves of pairs no case. */
static uint16_t upper_case(uint16_t unit)
{
    ucs4_t upper = uc_toupper(unit);

    return upper < UNITS ? (uint16_t)upper : unit;
}

uint16_t upcase(uint16_t unit)
{
    static uint16_t table[UNITS];
    static bool made;

    for (uint32_t i = 0; !made && i < UNITS; i++) {
        table[i] = upper_case((uint16_t)i);
    }
    made = true;
    return table[unit];
}
