/* counted_string.h - counted strings: RtlInitUnicodeString,
 * RtlCopyUnicodeString, RtlAppendUnicodeToString. */
#ifndef API_RTL_COUNTED_STRING_H
#define API_RTL_COUNTED_STRING_H

#include <stddef.h>

#include "api/core/routine.h"

struct kernel;

/* Copies the characters of a driver's string, at most `room` of them. Returns
 * how many it has. It may raise. */
size_t unicode_string_read(struct kernel *kernel, enum routine routine,
    const UNICODE_STRING *string, WCHAR *text, size_t room);

#endif
