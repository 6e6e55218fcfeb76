/* text.h - UTF-16 text of counter sets' and instances' names, which do not
 * differ by case (PCW-REG-08a, PCW-CRE-03a). */
#ifndef API_PCW_TEXT_H
#define API_PCW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

/* Some UTF-16; not NUL-terminated. */
struct pcw_text {
    const uint16_t *at;
    size_t length; /* code units */
};

/* Whether the two differ by case at most. */
bool pcw_text_equal(struct pcw_text left, struct pcw_text right);

/* Below 0, 0 or above 0, as `left` stands before `right`, is equal or stands
 * behind it: by upper-case code units, then by length. */
int pcw_text_compare(struct pcw_text left, struct pcw_text right);

/* The same for texts that are equal; not 0. */
uint32_t pcw_text_hash(struct pcw_text text);

/* Whether `text` is what `mask` means: `*` any code units or none, `?` any one;
 * case is ignored (PCW-TYPE-05). Takes time at most in proportion to the
 * product of the lengths. */
bool pcw_text_matches(struct pcw_text text, struct pcw_text mask);

/* Whether all of it is blanks, or nothing. */
bool pcw_text_is_blank(struct pcw_text text);

/* In UTF-8, NUL-terminated, cut before the first character that does not fit
 * into `size` bytes, at least 1; halves of surrogate pairs that stand alone
 * become U+FFFD, and so does a NUL. */
void pcw_text_utf8(struct pcw_text text, char *utf8, size_t size);

/* What pcw_text_shown() is given to write to. */
enum { PCW_SHOWN_BYTES = 48 };

/* The same for a line of a trace or a message: quotation marks and what cannot
 * be seen (character.h) become dots. */
void pcw_text_shown(struct pcw_text text, char *utf8, size_t size);

struct guest_name {
    USHORT length;        /* bytes, as given */
    const void *from;     /* where the driver has its characters */
    struct pcw_text text; /* half a character at the end is left out */
};

/* Copies the string, not its characters yet: a length may be refused first.
 * Memory that cannot be read raises at the caller. */
void guest_name_read(struct kernel *kernel, enum routine routine,
    PCUNICODE_STRING from, struct guest_name *name);

/* Whether the length is no whole number of characters. */
bool guest_name_is_odd(const struct guest_name *name);

/* Copies the characters; they are there until the next name's are read. */
void guest_name_read_text(
    struct kernel *kernel, enum routine routine, struct guest_name *name);

#endif
