/* format.h - printf as DbgPrint has it: the format and its arguments lie in a
 * driver's memory. Knows nothing of a kernel; whatever it is given, it reads
 * only through the reader and writes only into the text. */
#ifndef API_RTL_FORMAT_H
#define API_RTL_FORMAT_H

#include "api/core/guest_text.h"

enum { FORMAT_BYTES = 512 }; /* of one message; the rest is cut */

struct format_text {
    char byte[FORMAT_BYTES]; /* without a NUL at the end, perhaps with some */
    size_t length;
    bool faulted;     /* something could not be read; the text ends there */
    bool unicode;     /* %C, %S, %lc, %ls, %wc, %ws, %wZ was in it */
    bool unsupported; /* floating point, %n, or no conversion at all */
};

/* Formats the NUL-terminated text at `format` with the arguments in 8-byte
 * slots from `arguments` on, as an x64 va_list has them. An unsupported
 * conversion is copied as it stands [C]; of those that are floating point or
 * %n an argument is skipped. Characters beyond ASCII of Unicode strings are
 * question marks [C]. */
void format_text(struct format_text *text, const struct guest_reader *reader,
    uint64_t format, uint64_t arguments);

#endif
