/* character.c - what Unicode says of a character: upper and lower case, hidden
 * or not; the same on every host with the same libunistring. */
#include "api/text/character.h"

#include <unicase.h>
#include <unictype.h>

enum { UNITS = 0x10000 };

/* As nearly all text is. */
static bool is_plain(uint32_t code)
{
    return code >= ' ' && code <= '~';
}

bool character_is_control(uint32_t code)
{
    return !is_plain(code) &&
           uc_is_general_category_withtable(code, UC_CATEGORY_MASK_Cc);
}

bool character_is_hidden(uint32_t code)
{
    return !is_plain(code) &&
           uc_is_general_category_withtable(
               code, UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf |
                         UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp);
}

/* Unicode gives halves of pairs no case. */
uint16_t character_upper_of(uint16_t unit)
{
    ucs4_t upper = uc_toupper(unit);

    return upper < UNITS ? (uint16_t)upper : unit;
}

uint16_t character_lower(uint16_t unit)
{
    ucs4_t lower;

    if (unit < CHARACTER_ASCII) {
        return (uint16_t)(unit >= 'A' && unit <= 'Z' ? unit - 'A' + 'a' : unit);
    }
    lower = uc_tolower(unit);
    return lower < UNITS ? (uint16_t)lower : unit;
}
