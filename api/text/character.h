/* character.h - what Unicode says of a character. Knows nothing of how texts
 * are encoded. */
#ifndef API_TEXT_CHARACTER_H
#define API_TEXT_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether it moves the cursor: C0, DEL and C1. */
bool character_is_control(uint32_t code);

/* Whether it moves the cursor, turns the direction of what follows or cannot be
 * seen, and has no place in what people are shown: control and format
 * characters, ends of lines and paragraphs. */
bool character_is_hidden(uint32_t code);

enum { CHARACTER_ASCII = 0x80 }; /* so many characters */

/* What character_upper() asks Unicode for: code units from CHARACTER_ASCII. */
uint16_t character_upper_of(uint16_t unit);

/* The upper-case letter of a UTF-16 code unit, as case is ignored in names of
 * objects and of counter sets, and where a driver asks for it: by Unicode's
 * simple mapping where that stays in the BMP, halves of surrogate pairs as they
 * are [C]: Windows has a table of its own (docs/fidelity.md). */
static inline uint16_t character_upper(uint16_t unit)
{
    if (unit >= CHARACTER_ASCII) { /* hardly any is */
        return character_upper_of(unit);
    }
    return (uint16_t)(unit >= 'a' && unit <= 'z' ? unit - 'a' + 'A' : unit);
}

/* The lower-case letter, in the same way. */
uint16_t character_lower(uint16_t unit);

#endif
