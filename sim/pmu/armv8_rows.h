/* armv8_rows.h - the table of armv8.def. For armv8_registers.c, and
 * for who explains registers. */
#ifndef SIM_PMU_ARMV8_ROWS_H
#define SIM_PMU_ARMV8_ROWS_H

#include <stdint.h>

#include "sim/pmu/armv8.h"
#include "sim/pmu/armv8_registers.h"

enum armv8_register_row {
#define ARMV8(name, suffix, ...) ARMV8_##name##_##suffix,
#include "sim/pmu/armv8.def"
    ARMV8_ROWS
};

enum armv8_row_access {
    ARMV8_ACCESS_RW,
    ARMV8_ACCESS_RO,
    ARMV8_ACCESS_WO,
};

/* Which counter a register is about. */
enum armv8_which {
    ARMV8_WHICH_NONE,
    ARMV8_WHICH_CYCLES,
    ARMV8_WHICH_NUMBERED,
    ARMV8_WHICH_SELECTED,      /* by PMSELR_EL0 */
    ARMV8_WHICH_SELECTED_TYPE, /* the same, and 31 is the cycle counter */
};

/* Stands beside the bits of PMUSERENR_EL0 for what needs none of them. */
enum { ARMV8_USER_ALWAYS = 16 };

/* The counter that an access is about, and the level that it comes from. */
struct armv8_access {
    unsigned n, el;
};

struct armv8_row {
    const char *name, *suffix; /* a number may stand between them */
    uint32_t reg;              /* of the first */
    uint8_t op1;
    uint8_t count;
    uint8_t since; /* enum armv8_version; ARMV8_NO_PMU: not the PMU's */
    enum armv8_row_access access;
    /* Bits of PMUSERENR_EL0, one of which lets EL0; 0: undefined there. */
    uint8_t user_read, user_write;
    enum armv8_which which;
    uint64_t (*read)(const struct armv8_pmu *pmu, struct armv8_access access);
    void (*write)(
        struct armv8_pmu *pmu, struct armv8_access access, uint64_t value);
};

extern const struct armv8_row armv8_rows[ARMV8_ROWS];

#endif
