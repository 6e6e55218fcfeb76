/* armv8_registers.c - one pipeline for every access: find the row, check who
 * asks and whether the counter is there, then read or write. */
#include "sim/pmu/armv8_registers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/pmu/armv8_rows.h"

enum direction { DIRECTION_READ, DIRECTION_WRITE };

/* The row that holds the register on this part, and which of its registers
 * that is; NULL when the part has none there. */
static const struct armv8_row *row_find(
    const struct armv8_pmu *pmu, uint32_t reg, unsigned *n)
{
    for (unsigned i = 0; i < ARMV8_ROWS; i++) {
        const struct armv8_row *row = &armv8_rows[i];

        if (reg >= row->reg && reg - row->reg < row->count &&
            pmu->features->pmu_version >= row->since) {
            *n = reg - row->reg;
            return row;
        }
    }
    return NULL;
}

static unsigned lowest_el(const struct armv8_row *row)
{
    switch (row->op1) {
    case 3:
        return 0;
    case 0:
        return 1;
    default:
        return 2;
    }
}

static bool row_has(const struct armv8_row *row, enum direction direction)
{
    switch (row->access) {
    case ARMV8_ACCESS_RW:
        return true;
    case ARMV8_ACCESS_RO:
        return direction == DIRECTION_READ;
    case ARMV8_ACCESS_WO:
        return direction == DIRECTION_WRITE;
    }
    assert(false && "unknown kind of access");
    return false;
}

/* What MDCR_EL2 takes from EL0 and EL1: all registers of the PMU, or one. */
static bool el2_traps(const struct armv8_pmu *pmu, const struct armv8_row *row)
{
    return row->since != ARMV8_NO_PMU &&
           (bit_is_set(pmu->mdcr, ARMV8_MDCR_TPM) ||
               (bit_is_set(pmu->mdcr, ARMV8_MDCR_TPMCR) &&
                   row == &armv8_rows[ARMV8_PMCR_EL0]));
}

/* Whether code at this level may. */
static enum armv8_result check_level(const struct armv8_pmu *pmu,
    const struct armv8_row *row, unsigned el, enum direction direction)
{
    unsigned user =
        direction == DIRECTION_READ ? row->user_read : row->user_write;

    if (el < lowest_el(row) || (el == 0 && user == 0)) {
        return ARMV8_UNDEF;
    }
    if (el == 0 && (user & (pmu->user_enable | ARMV8_USER_ALWAYS)) == 0) {
        return ARMV8_TRAP_EL1;
    }
    if (el < 2 && el2_traps(pmu, row)) {
        return ARMV8_TRAP_EL2;
    }
    return ARMV8_OK;
}

/* The counter that the n-th register of the row is about; ARMV8_COUNTERS when
 * this level has no such counter. */
static unsigned counter_of(const struct armv8_pmu *pmu,
    const struct armv8_row *row, unsigned n, unsigned el)
{
    unsigned counter = 0;

    switch (row->which) {
    case ARMV8_WHICH_NONE:
        return 0;
    case ARMV8_WHICH_CYCLES:
        return ARMV8_CYCLES;
    case ARMV8_WHICH_NUMBERED:
        counter = n;
        break;
    case ARMV8_WHICH_SELECTED:
        counter = (unsigned)pmu->select;
        break;
    case ARMV8_WHICH_SELECTED_TYPE:
        if (pmu->select == ARMV8_CYCLES) {
            return ARMV8_CYCLES;
        }
        counter = (unsigned)pmu->select;
        break;
    }
    return counter < armv8_accessible(pmu, el) ? counter : ARMV8_COUNTERS;
}

/* Checks the whole access. On ARMV8_OK `*row` is its row, or NULL where there
 * is nothing to read or write. */
static enum armv8_result decode(const struct armv8_pmu *pmu, uint32_t reg,
    enum direction direction, const struct armv8_row **row,
    struct armv8_access *access)
{
    enum armv8_result result;
    unsigned n;

    assert(access->el < ARMV8_ELS);
    *row = row_find(pmu, reg, &n);
    if (*row == NULL || !row_has(*row, direction)) {
        return ARMV8_UNDEF;
    }
    result = check_level(pmu, *row, access->el, direction);
    if (result != ARMV8_OK) {
        return result;
    }
    access->n = counter_of(pmu, *row, n, access->el);
    if (access->n < ARMV8_COUNTERS) {
        return ARMV8_OK;
    }
    *row = NULL;
    return pmu->features->missing_read_zero ? ARMV8_OK : ARMV8_UNDEF;
}

enum armv8_result armv8_read(
    const struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t *value)
{
    struct armv8_access access = {.el = el};
    const struct armv8_row *row;
    enum armv8_result result = decode(pmu, reg, DIRECTION_READ, &row, &access);

    if (result == ARMV8_OK) {
        *value = row == NULL ? 0 : row->read(pmu, access);
    }
    return result;
}

enum armv8_result armv8_write(
    struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t value)
{
    struct armv8_access access = {.el = el};
    const struct armv8_row *row;
    enum armv8_result result = decode(pmu, reg, DIRECTION_WRITE, &row, &access);

    if (result == ARMV8_OK && row != NULL) {
        row->write(pmu, access, value);
    }
    return result;
}

/* Writes the name of the k-th register of a row. */
static void write_name(
    const struct armv8_row *row, size_t k, char *name, size_t size)
{
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
