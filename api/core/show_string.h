/* show_string.h - a driver's strings as text for people, so that a trace has a
 * name and not where in an image it lies. */
#ifndef API_CORE_SHOW_STRING_H
#define API_CORE_SHOW_STRING_H

#include <stdbool.h>
#include <stddef.h>

#include "api/nt/type.h"

struct kernel;

/* Writes the string at `at` in quotes, cut to `size` bytes with a NUL: text of
 * CHAR or WCHAR, a UNICODE_STRING or a STRING. Returns false when the type is
 * none of these, or when the string cannot be read without a fault. */
bool show_string(struct kernel *kernel, enum nt_type type, const void *at,
    char *text, size_t size);

/* Whether reading these bytes of a driver's memory changes nothing. */
bool show_can_read(const struct kernel *kernel, const void *at, size_t size);

#endif
