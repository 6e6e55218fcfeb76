/* irql_level.c - names of interrupt request levels and their numbers by
 * architecture: irql.def. */
#include "api/nt/irql_level.h"

#include <assert.h>
#include <stddef.h>

enum { NONE = 0xFF };

static const struct {
    const char *name;
    uint8_t number[ARCH_COUNT];
} levels[IRQL_LEVEL_COUNT] = {
#define IRQL_LEVEL(name, x86, x64, arm32, arm64, ia64)                         \
    [LEVEL_##name] = {#name, {x86, x64, arm32, arm64, ia64}},
#include "api/nt/irql.def"
};

bool irql_level_value(enum irql_level level, enum arch arch, uint8_t *irql)
{
    assert(level < IRQL_LEVEL_COUNT && arch < ARCH_COUNT);
    *irql = levels[level].number[arch];
    return *irql != NONE;
}

uint8_t irql_level_number(enum irql_level level, enum arch arch)
{
    uint8_t irql;
    bool has = irql_level_value(level, arch, &irql);

    assert(has);
    (void)has;
    return irql;
}

const char *irql_level_spelling(enum irql_level level)
{
    assert(level < IRQL_LEVEL_COUNT);
    return levels[level].name;
}

const char *irql_level_name(enum arch arch, uint8_t irql)
{
    assert(arch < ARCH_COUNT);
    for (enum irql_level i = 0; i < IRQL_LEVEL_COUNT; i++) {
        if (levels[i].number[arch] == irql && irql != NONE) {
            return levels[i].name;
        }
    }
    return NULL;
}
