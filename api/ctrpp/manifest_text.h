/* manifest_text.h - the text of a manifest out of the bytes of its file, and
 * places in it. Knows nothing of XML but how its first line names an encoding.
 */
#ifndef API_CTRPP_MANIFEST_TEXT_H
#define API_CTRPP_MANIFEST_TEXT_H

#include <stddef.h>

#include "api/ctrpp/problems.h"

/* The file as UTF-8 without a byte order mark, with a NUL behind its *length
 * bytes, child of `context`. Bytes are UTF-8, with or without a mark, UTF-16
 * with one, or US-ASCII or ISO-8859-1 where the XML declaration says so [C].
 * NULL when they are something else, which is added to `problems`. */
char *manifest_text(void *context, const char *bytes, size_t size,
    struct manifest_problems *problems, size_t *length);

/* The same text with UTF-8 as the encoding that its XML declaration names,
 * where it names one: what it says of a file that was in another is no longer
 * so. The result is a child of `context`. */
char *manifest_text_declare_utf8(void *context, const char *text);

/* The place of the byte `to` of a text, when `place` is that of the byte
 * `from` before it; it is one character wide. */
struct manifest_place manifest_place_forward(
    struct manifest_place place, const char *text, size_t from, size_t to);

/* Characters of UTF-8. */
size_t manifest_characters(const char *text, size_t length);

#endif
