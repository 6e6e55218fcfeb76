/* manifest_text.h - the text of a manifest out of the bytes of its file, and
 * places in it. Knows nothing of XML. */
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

/* The place of the byte `to` of a text, when `place` is that of the byte
 * `from` before it; it is one character wide. */
struct manifest_place manifest_place_forward(
    struct manifest_place place, const char *text, size_t from, size_t to);

#endif
