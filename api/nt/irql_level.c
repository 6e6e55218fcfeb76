/* irql_level.c - names of interrupt request levels and their numbers by
 * architecture: irql.def. */
#include "api/nt/irql_level.h"

#include <assert.h>
#include <stddef.h>

enum { NONE = IRQL_LEVEL_NONE };

const struct irql_level_row irql_level_rows[IRQL_LEVEL_COUNT] = {
#define IRQL_LEVEL(name, x86, x64, arm32, arm64, ia64)                         \
    [LEVEL_##name] = {#name, {x86, x64, arm32, arm64, ia64}},
#include "api/nt/irql.def"
};

bool irql_level_value(enum irql_level level, enum arch arch, uint8_t *irql)
{
    assert(level < IRQL_LEVEL_COUNT && arch < ARCH_COUNT);
    *irql = irql_level_rows[level].number[arch];
    return *irql != NONE;
}

const char *irql_level_spelling(enum irql_level level)
{
    assert(level < IRQL_LEVEL_COUNT);
    return irql_level_rows[level].name;
}

const char *irql_level_name(enum arch arch, uint8_t irql)
{
    assert(arch < ARCH_COUNT);
    for (enum irql_level i = 0; i < IRQL_LEVEL_COUNT; i++) {
        if (irql_level_rows[i].number[arch] == irql && irql != NONE) {
            return irql_level_rows[i].name;
        }
    }
    return NULL;
}
