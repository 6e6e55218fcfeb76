/* translated_string.h - a counted string made of another one, in a buffer that
 * the caller has or that comes from paged pool, which RtlFreeUnicodeString and
 * RtlFreeAnsiString free. */
#ifndef API_RTL_TRANSLATED_STRING_H
#define API_RTL_TRANSLATED_STRING_H

#include <stdbool.h>

#include "api/core/routine.h"
#include "api/rtl/code_page.h"

struct kernel;

struct translation {
    enum routine routine;
    enum unit to_unit;
    struct units from;
    enum code_page_case fold;
    bool ends;      /* a NUL behind it, for which there has to be room */
    bool allocate;  /* the buffer; else the destination has one */
    NTSTATUS small; /* what there is no room in its buffer for is answered by */
};

/* Fills in a driver's STRING or UNICODE_STRING. STATUS_INVALID_PARAMETER_2: no
 * counted string is as long; STATUS_NO_MEMORY: there is no pool. Nothing has
 * changed then. It may raise, and then nothing is allocated. */
NTSTATUS translated_string(struct kernel *kernel, PVOID destination,
    const struct translation *translation);

/* Frees the buffer of a driver's string and leaves an empty one. */
void translated_string_free(
    struct kernel *kernel, enum routine routine, PVOID string);

/* From paged pool; NULL: there is none. */
PVOID translated_string_buffer(
    struct kernel *kernel, enum routine routine, size_t bytes);

#endif
