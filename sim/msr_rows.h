/* msr_rows.h - the table of registers.def, and how to find a row. Only msr.c
 * and whoever names registers to people need it. */
#ifndef SIM_MSR_ROWS_H
#define SIM_MSR_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;

enum msr {
#define MSR(name, ...) MSR_##name,
#include "sim/registers.def"
    MSR_COUNT
};

enum msr_access { MSR_RW, MSR_RO, MSR_WO };

struct msr_row {
    const char *name; /* without the number where there are several */
    uint32_t address; /* of the first */
    unsigned (*count)(const struct cpu *cpu);
    uint8_t since; /* architectural PMU version; 0: not the PMU's */
    enum msr_access access;
    uint64_t (*writable)(const struct cpu *cpu);
    uint64_t (*read)(const struct cpu *cpu, unsigned n);
    void (*write)(struct cpu *cpu, unsigned n, uint64_t value);
};

extern const struct msr_row msr_rows[MSR_COUNT];

/* Registers of a row that any model may have, 1 for a single one. */
unsigned msr_row_most(const struct msr_row *row);

#endif
