/* msr_rows.h - the table of registers.def, and how to find a row. Only msr.c
 * and whoever names registers to people need it. */
#ifndef SIM_MACHINE_MSR_ROWS_H
#define SIM_MACHINE_MSR_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/limits.h"

struct cpu;

enum msr {
#define MSR(name, ...) MSR_##name,
#include "sim/machine/registers.def"
    MSR_COUNT
};

enum msr_access {
    MSR_RW,
    MSR_RO,
    MSR_WO,
    MSR_RWM, /* as RW, but reserved bits are masked out */
    MSR_ROM, /* as RO, but a write is ignored */
};

struct msr_row {
    const char *name; /* without the number where there are several */
    uint32_t address; /* of the first */
    uint8_t stride;   /* from one to the next */
    uint8_t most;     /* that any processor has */
    enum msr_access access;
    bool (*exists)(const struct cpu *cpu, unsigned n);
    uint64_t (*reserved)(const struct cpu *cpu, unsigned n, uint64_t value);
    uint64_t (*read)(const struct cpu *cpu, unsigned n);
    void (*write)(struct cpu *cpu, unsigned n, uint64_t value);
};

extern const struct msr_row msr_rows[MSR_COUNT];

/* The functions that registers.def names: whether the processor has the n-th
 * register of the row; which of the bits set in `value` it refuses; its value
 * without effect; what a write does, of a value without such bits. */
#define MSR(                                                                   \
    name, address, stride, most, exists_, access, reserved_, read_, write_)    \
    bool msr_exists_##exists_(const struct cpu *cpu, unsigned n);              \
    uint64_t msr_reserved_##reserved_(                                         \
        const struct cpu *cpu, unsigned n, uint64_t value);                    \
    uint64_t msr_read_##read_(const struct cpu *cpu, unsigned n);              \
    void msr_write_##write_(struct cpu *cpu, unsigned n, uint64_t value);
#include "sim/machine/registers.def"

enum { MSR_MAP_BITS = 12 };

/* Which row an address may be of: no two addresses in the table share their low
 * 12 bits. */
struct msr_map {
    uint8_t row[1 << MSR_MAP_BITS]; /* MSR_COUNT: none */
};

void msr_map_init(struct msr_map *map);

/* The row that holds the address, and which of its registers that is; NULL when
 * no processor has one there. */
const struct msr_row *msr_map_find(
    const struct msr_map *map, uint32_t address, unsigned *n);

#endif
