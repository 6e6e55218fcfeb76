/* utf8.h - UTF-8 character by character, whatever bytes it is made of. A byte
 * that begins no character is one of its own, UTF8_REPLACEMENT; so is each of a
 * surrogate's and of a form that is too long (RFC 3629). Knows nothing of what
 * characters mean. */
#ifndef API_TEXT_UTF8_H
#define API_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

/* What a replaced byte is written as. */
#define UTF8_REPLACEMENT_TEXT "\xEF\xBF\xBD"

/* Bytes of the character that the `size` bytes, at least one, begin with, and
 * its code point. */
size_t utf8_decode(const char *text, size_t size, uint32_t *code);

enum { UTF8_REPAIRED_BYTES = 3 }; /* that a byte becomes, at the most */

/* Copies the text with what is replaced written out, and a NUL behind it: `to`
 * has room for UTF8_REPAIRED_BYTES * size + 1 bytes. */
void utf8_repair(const char *text, size_t size, char *to);

/* Whether nothing in it has to be replaced. */
bool utf8_is_valid(const char *text, size_t size);

/* How many characters there are. */
size_t utf8_characters(const char *text, size_t size);

/* Bytes that the first `characters` characters take; all of them when there are
 * fewer. */
size_t utf8_bytes(const char *text, size_t size, size_t characters);

/* Bytes that the first characters take as far as these are at most `most`. */
size_t utf8_cut(const char *text, size_t size, size_t most);

#endif
