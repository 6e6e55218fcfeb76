/* guest_name.h - a name that a driver passes: a UNICODE_STRING, copied. */
#ifndef API_PCW_GUEST_NAME_H
#define API_PCW_GUEST_NAME_H

#include "api/core/routine.h"
#include "api/pcw/text.h"

struct kernel;

struct guest_name {
    USHORT length;        /* bytes, as given */
    const void *from;     /* where the driver has its characters */
    struct pcw_text text; /* half a character at the end is left out */
};

/* Copies the string, not its characters yet: a length may be refused first.
 * Memory that cannot be read raises at the caller. */
struct guest_name guest_name_read(
    struct kernel *kernel, enum routine routine, PCUNICODE_STRING from);

/* Whether the length is no whole number of characters. */
bool guest_name_is_odd(const struct guest_name *name);

/* Copies the characters; they are there until the next name's are read. */
void guest_name_read_text(
    struct kernel *kernel, enum routine routine, struct guest_name *name);

#endif
