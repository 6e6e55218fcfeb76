/* armv8_names.c - PMUv3's registers by the names that the architecture gives
 * them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/pmu/armv8_registers.h"

/* Writes the name of the k-th register of a row. */
static void write_name(
    const struct armv8_row *row, size_t k, char *name, size_t size)
{
    assert(k < row->count);
    if (row->count == 1) {
        snprintf(name, size, "%s%s", row->name, row->suffix);
    } else {
        snprintf(name, size, "%s%zu%s", row->name, k, row->suffix);
    }
}

bool armv8_register_name(size_t n, char *name, size_t size)
{
    for (unsigned i = 0; i < ARMV8_ROWS; i++) {
        const struct armv8_row *row = &armv8_rows[i];

        if (n < row->count) {
            write_name(row, n, name, size);
            return true;
        }
        n -= row->count;
    }
    return false;
}

void armv8_register_spell(uint32_t reg, char *name, size_t size)
{
    for (unsigned i = 0; i < ARMV8_ROWS; i++) {
        const struct armv8_row *row = &armv8_rows[i];

        if (reg >= row->reg && reg - row->reg < row->count) {
            write_name(row, reg - row->reg, name, size);
            return;
        }
    }
    snprintf(name, size, "S%u_%u_C%u_C%u_%u", 2 + (reg >> 14 & 1),
        reg >> 11 & 7, reg >> 7 & 15, reg >> 3 & 15, reg & 7);
}

bool armv8_register_find(const char *name, uint32_t *reg)
{
    char candidate[32];

    for (unsigned i = 0; i < ARMV8_ROWS; i++) {
        const struct armv8_row *row = &armv8_rows[i];

        for (unsigned k = 0; k < row->count; k++) {
            write_name(row, k, candidate, sizeof(candidate));
            if (strcmp(candidate, name) == 0) {
                *reg = row->reg + k;
                return true;
            }
        }
    }
    return false;
}
