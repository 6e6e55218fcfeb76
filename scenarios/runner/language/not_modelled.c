/* not_modelled.c - the list of not_modelled.def. */
#include "scenarios/runner/language/not_modelled.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *why;
} rows[] = {
#define NOT_MODELLED(name, why) {name, why},
#include "scenarios/runner/language/not_modelled.def"
};

const char *not_modelled(const char *name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i].why;
        }
    }
    return NULL;
}
