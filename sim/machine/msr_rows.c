/* msr_rows.c - the rows of registers.def, and the functions of those that are
 * not a PMU's. */
#include "sim/machine/msr_rows.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/icr.h"

bool msr_exists_always(const struct cpu *cpu, unsigned n)
{
    (void)cpu;
    (void)n;
    return true;
}

bool msr_exists_x86(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->armv8 == NULL;
}

uint64_t msr_reserved_none(const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    (void)value;
    return 0;
}

uint64_t msr_reserved_all(const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    return value;
}

uint64_t msr_reserved_tpr(const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    return value & ~UINT64_C(0xFF);
}

/* Destination, shorthand, trigger, level, destination mode, delivery mode,
 * vector; an x2APIC has no delivery status. */
uint64_t msr_reserved_icr(const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    return value & ~UINT64_C(0xFFFFFFFF000CCFFF);
}

/* Vector, delivery mode, mask; bit 12 is read-only. */
uint64_t msr_reserved_lvtpc(const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    return value & ~UINT64_C(0x107FF);
}

uint64_t msr_read_zero(const struct cpu *cpu, unsigned n)
{
    (void)cpu;
    (void)n;
    return 0;
}

uint64_t msr_read_tpr(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->lapic.task_priority;
}

uint64_t msr_read_icr(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->lapic.icr;
}

uint64_t msr_read_lvtpc(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->lapic.lvtpc;
}

void msr_write_none(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    (void)value;
}

void msr_write_tpr(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->lapic.task_priority = (uint8_t)value;
}

void msr_write_eoi(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    (void)value;
    lapic_eoi(&cpu->lapic);
}

void msr_write_icr(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->lapic.icr = value;
    icr_send(cpu, value);
}

void msr_write_lvtpc(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    lapic_set_lvtpc(&cpu->lapic, (uint32_t)value);
}

const struct msr_row msr_rows[MSR_COUNT] = {
#define MSR(                                                                   \
    name, address, stride, most, exists, access, reserved, read, write)        \
    [MSR_##name] = {#name, address, stride, most, MSR_##access,                \
        msr_exists_##exists, msr_reserved_##reserved, msr_read_##read,         \
        msr_write_##write},
#include "sim/machine/registers.def"
};

void msr_map_init(struct msr_map *map)
{
    memset(map->row, MSR_COUNT, sizeof(map->row));
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];

        for (unsigned n = 0; n < row->most; n++) {
            uint32_t at = (uint32_t)bits_get(
                row->address + n * row->stride, 0, MSR_MAP_BITS);

            assert(map->row[at] == MSR_COUNT);
            map->row[at] = (uint8_t)i;
        }
    }
}

const struct msr_row *msr_map_find(
    const struct msr_map *map, uint32_t address, unsigned *n)
{
    unsigned i = map->row[bits_get(address, 0, MSR_MAP_BITS)];
    const struct msr_row *row;
    uint32_t distance;

    if (i == MSR_COUNT) {
        return NULL;
    }
    row = &msr_rows[i];
    distance = address - row->address;
    *n = row->stride == 1 ? distance : distance / row->stride;
    return *n < row->most && *n * row->stride == distance ? row : NULL;
}
