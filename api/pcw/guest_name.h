/* guest_name.h - a name that a driver passes: a UNICODE_STRING, copied. */
#ifndef API_PCW_GUEST_NAME_H
#define API_PCW_GUEST_NAME_H

#include "api/exports.h"
#include "api/pcw/text.h"

struct kernel;

struct guest_name {
    USHORT length;        /* bytes, as given */
    struct pcw_text text; /* half a character at the end is left out */
};

/* Copies it; the text is there until the next name is read. Memory that cannot
 * be read raises at the caller. */
struct guest_name guest_name_read(
    struct kernel *kernel, enum routine routine, PCUNICODE_STRING from);

/* Whether the length is no whole number of characters. */
bool guest_name_is_odd(const struct guest_name *name);

#endif
