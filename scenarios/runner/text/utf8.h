/* utf8.h - text character by character, whatever bytes it is made of. */
#ifndef RUNNER_TEXT_UTF8_H
#define RUNNER_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

/* What a replaced byte is written as. */
#define UTF8_REPLACEMENT_TEXT "\xEF\xBF\xBD"

/* Bytes of the character that `text`, which ends with a NUL, begins with, and
 * its code point. A byte that begins no character is one of its own,
 * UTF8_REPLACEMENT; so are those of surrogates and of forms that are too long
 * (RFC 3629). */
size_t utf8_decode(const char *text, uint32_t *code);

#endif
