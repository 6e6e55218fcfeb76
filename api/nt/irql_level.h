/* irql_level.h - the names of interrupt request levels, and what numbers they
 * are on an architecture. */
#ifndef API_NT_IRQL_LEVEL_H
#define API_NT_IRQL_LEVEL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum arch {
#define ARCH(name, ...) ARCH_##name,
#include "api/nt/arch.def"
    ARCH_COUNT
};

enum irql_level {
#define IRQL_LEVEL(name, ...) LEVEL_##name,
#include "api/nt/irql.def"
    IRQL_LEVEL_COUNT
};

struct irql_level_row {
    const char *name;
    uint8_t number[ARCH_COUNT]; /* IRQL_LEVEL_NONE: it has no such level */
};

enum {
    IRQL_LEVEL_NONE = 0xFF,
    IRQL_LEVELS = 32, /* numbers that an architecture has at the most */
};

extern const struct irql_level_row irql_level_rows[IRQL_LEVEL_COUNT];

/* The level's number; false where the architecture does not have it. */
bool irql_level_value(enum irql_level level, enum arch arch, uint8_t *irql);

/* The level's number on an architecture that has it. */
static inline uint8_t irql_level_number(enum irql_level level, enum arch arch)
{
    assert(irql_level_rows[level].number[arch] != IRQL_LEVEL_NONE);
    return irql_level_rows[level].number[arch];
}

/* The name of a level. */
const char *irql_level_spelling(enum irql_level level);

/* The usual name of a number: PROFILE_LEVEL where it is that of several, since
 * this kernel has no other interrupt. NULL when it has none. */
const char *irql_level_name(enum arch arch, uint8_t irql);

#endif
