/* bugcheck.c - the names of bug check codes. */
#include "api/core/bugcheck.h"

#include <stddef.h>

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

const char *bugcheck_listed(unsigned n)
{
    return n < sizeof(codes) / sizeof(codes[0]) ? codes[n].name : NULL;
}
