/* utf16_text.h - the text of an XML file as UTF-8. */
#ifndef API_CTRPP_UTF16_TEXT_H
#define API_CTRPP_UTF16_TEXT_H

#include <stddef.h>

/* A text in UTF-16 with its byte order mark comes out in UTF-8, without the
 * mark, and its XML declaration says so; a child of `context`. Any other is
 * `text` itself. *size, in bytes, is that of the result. */
const char *utf16_text_as_utf8(void *context, const char *text, size_t *size);

#endif
