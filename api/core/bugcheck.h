/* bugcheck.h - the record that a machine leaves when it stops for good. */
#ifndef API_CORE_BUGCHECK_H
#define API_CORE_BUGCHECK_H

#include <stdbool.h>
#include <stdint.h>

enum bugcheck_code {
    BUGCHECK_NONE = -1,
#define BUGCHECK(name, code) BUGCHECK_##name = (code),
#include "api/nt/bugcheck.def"
};

/* One of the four. An address is shown by the name of what lies there, so that
 * records are the same in every run. */
struct bugcheck_parameter {
    uint64_t value;
    const char *name; /* NULL: a plain number */
};

struct bugcheck {
    enum bugcheck_code code; /* BUGCHECK_NONE: the machine has not stopped */
    struct bugcheck_parameter parameter[4];
    uint32_t processor;
};

/* The name of a code; NULL when the list does not have it. */
const char *bugcheck_name(enum bugcheck_code code);

/* The same, and of a code of a driver's own the number, as 0xE2000001. Valid
 * until the next call. */
const char *bugcheck_text(enum bugcheck_code code);

enum { BUGCHECK_TEXT_BYTES = 120 };

/* For people: "NAME (0xC4)", with a word behind the number unless that is NULL;
 * of a code of a driver's own the number alone. */
void bugcheck_show(
    enum bugcheck_code code, const char *what, char text[BUGCHECK_TEXT_BYTES]);

/* The name of the n-th code of the list; NULL when there are not that many. */
const char *bugcheck_listed(unsigned n);

#endif
