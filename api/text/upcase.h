/* upcase.h - characters as case is ignored: in names of objects and of counter
 * sets, and where a driver asks for it. */
#ifndef API_TEXT_UPCASE_H
#define API_TEXT_UPCASE_H

#include <stdint.h>

/* The upper-case letter of a UTF-16 code unit by Unicode's simple mapping where
 * that stays in the BMP, halves of surrogate pairs as they are [C]: Windows has
 * a table of its own (docs/fidelity.md). */
uint16_t upcase(uint16_t unit);

#endif
