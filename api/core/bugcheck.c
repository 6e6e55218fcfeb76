/* bugcheck.c - the names of bug check codes. */
#include "api/core/bugcheck.h"

#include <stddef.h>
#include <stdio.h>

static const struct {
    const char *name;
    enum bugcheck_code code;
} codes[] = {
#define BUGCHECK(name, code) {#name, BUGCHECK_##name},
#include "api/nt/bugcheck.def"
};

const char *bugcheck_name(enum bugcheck_code code)
{
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (codes[i].code == code) {
            return codes[i].name;
        }
    }
    return NULL;
}

const char *bugcheck_text(enum bugcheck_code code)
{
    static char number[sizeof("0xFFFFFFFF")];
    const char *name = bugcheck_name(code);

    if (name != NULL) {
        return name;
    }
    snprintf(number, sizeof(number), "0x%X", (unsigned)code);
    return number;
}

void bugcheck_show(
    enum bugcheck_code code, const char *what, char text[BUGCHECK_TEXT_BYTES])
{
    const char *name = bugcheck_name(code);

    if (name == NULL) {
        snprintf(text, BUGCHECK_TEXT_BYTES, "0x%X", (unsigned)code);
    } else {
        snprintf(text, BUGCHECK_TEXT_BYTES, "%s (0x%X%s%s)", name,
            (unsigned)code, what == NULL ? "" : ", ", what == NULL ? "" : what);
    }
}

const char *bugcheck_listed(unsigned n)
{
    return n < sizeof(codes) / sizeof(codes[0]) ? codes[n].name : NULL;
}
