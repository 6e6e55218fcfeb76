/* encoding.h - how the bytes of a file are text: what its byte order mark says,
 * or else its XML declaration. */
#ifndef API_CTRPP_ENCODING_H
#define API_CTRPP_ENCODING_H

#include <stddef.h>

enum encoding {
    ENCODING_UTF8,
    ENCODING_UTF8_MARK,
    ENCODING_UTF16_LITTLE, /* with a mark, as the next one */
    ENCODING_UTF16_BIG,
    ENCODING_LATIN1,
    ENCODING_OTHER, /* one that is not read */
};

/* Of a file with those bytes. */
enum encoding encoding_of(const char *bytes, size_t size);

/* The mark that stands before the text, "" where there is none. */
const char *encoding_mark(enum encoding encoding);

/* Where the XML declaration at the start of `text` names an encoding: *length
 * bytes; NULL where it names none. The declaration itself is libxml2's to
 * judge.
 */
const char *encoding_declared(const char *text, size_t size, size_t *length);

/* Text in UTF-8 as the bytes of a file in `encoding`, which is one that is read
 * and has all of its characters: *size bytes, child of `context`. Where the XML
 * declaration names another encoding it names this one instead. */
char *encoding_encoded(void *context, const char *text, size_t length,
    enum encoding encoding, size_t *size);

#endif
