/* format.h - printf as DbgPrint and the C library have it: the format and its
 * arguments lie in a driver's memory. Knows nothing of a kernel; whatever it is
 * given, it reads only through the reader and writes only by put(). */
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

/* Where characters go, one after another. */
struct format_output {
    bool wide;   /* the format is of UTF-16, and %s and %c are */
    size_t most; /* characters; behind them nothing is read any more */
    void (*put)(void *context, uint16_t c);
    void *context;
};

struct format_outcome {
    size_t length;                      /* characters that were put */
    bool faulted, unicode, unsupported; /* as in struct format_text */
};

/* Formats as format_text() does. Characters beyond ASCII are question marks in
 * an output of bytes, and bytes stand for themselves in one of UTF-16 [C]. */
struct format_outcome format_write(const struct format_output *output,
    const struct guest_reader *reader, uint64_t format, uint64_t arguments);

/* Formats the NUL-terminated text at `format` with the arguments in 8-byte
 * slots from `arguments` on, as an x64 va_list has them. An unsupported
 * conversion is copied as it stands [C]; of those that are floating point or
 * %n an argument is skipped. Characters beyond ASCII of Unicode strings are
 * question marks [C]. */
void format_text(struct format_text *text, const struct guest_reader *reader,
    uint64_t format, uint64_t arguments);

#endif
