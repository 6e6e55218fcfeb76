/* encoding.h - how the bytes of a file are text: what its byte order mark says,
 * or else its XML declaration. */
#ifndef API_CTRPP_ENCODING_H
#define API_CTRPP_ENCODING_H

#include <stdbool.h>
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

/* Whether a file without a mark declares US-ASCII, which is read as UTF-8. */
bool encoding_is_ascii(const char *bytes, size_t size);

/* What declarations call one that is read. */
const char *encoding_usual_name(enum encoding encoding);

/* Where the declaration names another encoding than that of the file whose text
 * it is, in UTF-8: *name_length bytes; NULL where it does not. */
const char *encoding_misdeclared(const char *text, size_t length,
    enum encoding encoding, size_t *name_length);

/* Text in UTF-8 as the bytes of a file in `encoding`, which is one that is read
 * and has all of its characters: *size bytes, child of `context`. Where the XML
 * declaration names another encoding it names this one instead. */
char *encoding_encoded(void *context, const char *text, size_t length,
    enum encoding encoding, size_t *size);

#endif
