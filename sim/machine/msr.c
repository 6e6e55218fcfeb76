/* msr.c - RDMSR, WRMSR and RDPMC, and the table of all registers.
 *
 * There is one pipeline for every access: pay, find the row of registers.def,
 * check access and reserved bits, store, side effect, trace. */
#include "sim/machine/msr.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/machine/instruction.h"
#include "sim/machine/lapic_registers.h"
#include "sim/machine/machine.h"
#include "sim/machine/real_msr.h"
#include "sim/machine/system_registers.h"
#include "sim/pmu/x86_registers.h"

/* What stands in the columns of registers.def for reading and writing. */
#define MSR_READ_FIELD(member)                                                 \
    {                                                                          \
        .field = offsetof(struct cpu, pmu.member)                              \
    }
#define MSR_READ_CALL(name)                                                    \
    {                                                                          \
        .pmu = msr_read_##name                                                 \
    }
#define MSR_READ_LAPIC_FIELD(member)                                           \
    {                                                                          \
        .field = offsetof(struct cpu, lapic.member)                            \
    }
#define MSR_READ_SYSTEM_FIELD(member)                                          \
    {                                                                          \
        .field = offsetof(struct cpu, system.member)                           \
    }
#define MSR_READ_SYSTEM_CALL(name)                                             \
    {                                                                          \
        .cpu = msr_read_##name                                                 \
    }
#define MSR_READ_ZERO                                                          \
    {                                                                          \
        .field = 0                                                             \
    }
#define MSR_WRITE_FIELD(member)                                                \
    {                                                                          \
        .field = offsetof(struct cpu, pmu.member)                              \
    }
#define MSR_WRITE_CALL(name)                                                   \
    {                                                                          \
        .pmu = msr_write_##name                                                \
    }
#define MSR_WRITE_LAPIC_FIELD(member)                                          \
    {                                                                          \
        .field = offsetof(struct cpu, lapic.member)                            \
    }
#define MSR_WRITE_LAPIC_CALL(name)                                             \
    {                                                                          \
        .cpu = msr_write_##name                                                \
    }
#define MSR_WRITE_SYSTEM_FIELD(member)                                         \
    {                                                                          \
        .field = offsetof(struct cpu, system.member)                           \
    }
#define MSR_WRITE_SYSTEM_CALL(name)                                            \
    {                                                                          \
        .cpu = msr_write_##name                                                \
    }
#define MSR_WRITE_NOTHING                                                      \
    {                                                                          \
        .field = 0                                                             \
    }

const struct msr_row msr_rows[MSR_COUNT] = {
#define MSR(                                                                   \
    name, address, stride, most, exists, access, reserved, read, write)        \
    [MSR_##name] = {#name, address, stride, most, MSR_##access,                \
        msr_exists_##exists, msr_reserved_##reserved, MSR_READ_##read,         \
        MSR_WRITE_##write},
#include "sim/machine/registers.def"
};

/* A field has 64 bits for each register of its row. */
#define MSR_WORDS(part, member)                                                \
    (sizeof(((struct cpu *)NULL)->part.member) / sizeof(uint64_t))
#define MSR_ROOM_FIELD(member) MSR_WORDS(pmu, member)
#define MSR_ROOM_LAPIC_FIELD(member) MSR_WORDS(lapic, member)
#define MSR_ROOM_SYSTEM_FIELD(member) MSR_WORDS(system, member)
#define MSR_ROOM_SYSTEM_CALL(name) 1
#define MSR_ROOM_CALL(name) SIZE_MAX
#define MSR_ROOM_ZERO SIZE_MAX
#define MSR(                                                                   \
    name, address, stride, most, exists, access, reserved, read, write)        \
    _Static_assert((most) <= MSR_ROOM_##read, #name);                          \
    _Static_assert((stride) == 1 || (stride) == 2, #name);
#include "sim/machine/registers.def"

void msr_map_init(struct msr_map *map, const struct pmu_model *model)
{
    memset(map->row, MSR_COUNT, sizeof(map->row));
    msr_map_add(map, model);
}

void msr_map_add(struct msr_map *map, const struct pmu_model *model)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];

        for (unsigned n = 0; n < row->most; n++) {
            uint32_t at = (uint32_t)bits_get(
                row->address + n * row->stride, 0, MSR_MAP_BITS);

            assert(map->row[at] == MSR_COUNT || map->row[at] == i);
            if (row->exists(model, n)) {
                map->row[at] = (uint8_t)i;
                map->n[at] = (uint8_t)n;
            }
        }
    }
}

static void pay(struct cpu *cpu, uint64_t instructions)
{
    instruction_pay(cpu, cpu->pmu.model->msr_cycles, instructions);
}

void msr_pay(struct cpu *cpu)
{
    pay(cpu, 1);
}

/* An instruction that faults does not retire. What faults is known by the
 * processor's model, the address and the value, so before it is paid for. */
__attribute__((noinline)) static void pay_for(
    struct cpu *cpu, enum msr_result result)
{
    pay(cpu, result == MSR_GP_FAULT ? 0 : 1);
}

/* The row that holds the address on this processor, and which of its registers
 * that is; NULL when the processor has none there. */
static const struct msr_row *msr_find(
    const struct cpu *cpu, uint32_t address, unsigned *n)
{
    const struct msr_map *map = &cpu->machine->msr_map;
    uint64_t at = bits_get(address, 0, MSR_MAP_BITS);
    unsigned i = map->row[at];
    const struct msr_row *row;

    if (i == MSR_COUNT) {
        return NULL;
    }
    row = &msr_rows[i];
    *n = map->n[at];
    if (address != row->address + *n * row->stride) {
        return NULL; /* alike in its low bits only */
    }
    /* The map is all models'. */
    return cpu->machine->config.kind_count == 0 ||
                   row->exists(cpu->pmu.model, *n)
               ? row
               : NULL;
}

static uint64_t row_read(
    const struct msr_row *row, const struct cpu *cpu, unsigned n)
{
    uint64_t value = 0;

    assert(n < row->most);
    if (row->read.pmu != NULL) {
        return row->read.pmu(&cpu->pmu, n);
    }
    if (row->read.cpu != NULL) {
        return row->read.cpu(cpu);
    }
    if (row->read.field != 0) {
        memcpy(&value, (const char *)cpu + row->read.field + n * sizeof(value),
            sizeof(value));
    }
    return value;
}

static void row_write(
    const struct msr_row *row, struct cpu *cpu, unsigned n, uint64_t value)
{
    assert(n < row->most);
    if (row->write.pmu != NULL) {
        row->write.pmu(&cpu->pmu, n, value);
    } else if (row->write.cpu != NULL) {
        row->write.cpu(cpu, value);
    } else if (row->write.field != 0) {
        memcpy((char *)cpu + row->write.field + n * sizeof(value), &value,
            sizeof(value));
    }
}

bool msr_is_modelled(const struct pmu_model *model, uint32_t address)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];
        uint32_t distance = address - row->address;
        uint32_t n = distance / row->stride;

        if (n < row->most && n * row->stride == distance &&
            row->exists(model, n)) {
            return true;
        }
    }
    return false;
}

/* The value that the machine was given for a register that the model lacks;
 * NULL: it was given none. */
static uint64_t *given_find(
    const struct cpu *cpu, uint32_t address, const struct msr_given **given)
{
    const struct machine *machine = cpu->machine;
    size_t count = machine->config.given_count;

    for (size_t i = 0; i < count; i++) {
        *given = &machine->config.given[i];
        if ((*given)->address == address) {
            return &machine->given[cpu->index * count + i];
        }
    }
    return NULL;
}

/* What becomes of an access to an address where the model has nothing. */
static enum msr_result msr_missing(const struct cpu *cpu, uint32_t address)
{
    return real_msr_find(cpu->pmu.model, address, NULL) ? MSR_NOT_MODELLED
                                                        : MSR_GP_FAULT;
}

/* What an access would come to. `row` is the address's, NULL without one. */
static enum msr_result read_check(
    const struct cpu *cpu, const struct msr_row *row, uint32_t address)
{
    const struct msr_given *given;

    if (row == NULL) {
        return given_find(cpu, address, &given) != NULL
                   ? MSR_OK
                   : msr_missing(cpu, address);
    }
    return row->access == MSR_WO ? MSR_GP_FAULT : MSR_OK;
}

static uint64_t read_now(const struct cpu *cpu, const struct msr_row *row,
    unsigned n, uint32_t address)
{
    const struct msr_given *given;

    return row == NULL ? *given_find(cpu, address, &given)
                       : row_read(row, cpu, n);
}

enum msr_result msr_peek(
    const struct cpu *cpu, uint32_t address, uint64_t *value)
{
    unsigned n = 0;
    const struct msr_row *row = msr_find(cpu, address, &n);
    enum msr_result result = read_check(cpu, row, address);

    if (result == MSR_OK) {
        *value = read_now(cpu, row, n, address);
    }
    return result;
}

enum msr_result msr_read(struct cpu *cpu, uint32_t address, uint64_t *value)
{
    unsigned n = 0;
    const struct msr_row *row = msr_find(cpu, address, &n);
    enum msr_result result = read_check(cpu, row, address);
    bool paid = result == MSR_OK && instruction_pay_all(cpu);

    if (!paid) {
        pay_for(cpu, result);
    }
    if (result == MSR_OK) {
        *value = read_now(cpu, row, n, address);
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDMSR], address, *value);
    } else if (result == MSR_GP_FAULT) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDMSR_GP], address);
    }
    if (!paid) {
        cpu_checkpoint(cpu);
    }
    return result;
}

void msr_write_paid(struct cpu *cpu, uint32_t address, uint64_t value)
{
    unsigned n = 0;
    const struct msr_row *row = msr_find(cpu, address, &n);

    assert(row != NULL && row->access != MSR_RO);
    assert(row->reserved(cpu->pmu.model, value) == 0);
    row_write(row, cpu, n, value);
    cpu_trace(cpu, &sim_events[SIM_EVENT_WRMSR], address, value);
    cpu_checkpoint(cpu);
}

bool msr_pay_or_leave(
    struct cpu *cpu, void (*rest)(void *context, struct cpu *cpu))
{
    cpu_spend(cpu, cpu->pmu.model->msr_cycles, 1);
    return cpu_leave(cpu, rest);
}

static enum msr_result given_check(const struct cpu *cpu, uint32_t address)
{
    const struct msr_given *given;

    if (given_find(cpu, address, &given) == NULL) {
        return msr_missing(cpu, address);
    }
    return given->stored ? MSR_OK : MSR_FIXED;
}

/* As read_check(). *reserved are the bits of the value that are not stored. */
static enum msr_result write_check(const struct cpu *cpu,
    const struct msr_row *row, unsigned n, uint64_t value, uint64_t *reserved)
{
    *reserved = 0;
    if (row->access == MSR_RO) {
        return MSR_GP_FAULT;
    }
    if (row->access == MSR_ROM) {
        return MSR_OK;
    }
    *reserved = row->reserved(cpu->pmu.model, value);
    if (*reserved != 0 && row->access != MSR_RWM) {
        return MSR_GP_FAULT;
    }
    if (row->access == MSR_RWK && value != row_read(row, cpu, n)) {
        return MSR_NOT_MODELLED;
    }
    return MSR_OK;
}

static void write_now(struct cpu *cpu, const struct msr_row *row, unsigned n,
    uint32_t address, uint64_t value)
{
    const struct msr_given *given;

    if (row == NULL) {
        *given_find(cpu, address, &given) = value;
    } else if (row->access != MSR_ROM && row->access != MSR_RWK) {
        row_write(row, cpu, n, value);
    }
}

enum msr_result msr_write(struct cpu *cpu, uint32_t address, uint64_t value)
{
    unsigned n = 0;
    const struct msr_row *row = msr_find(cpu, address, &n);
    uint64_t reserved = 0;
    enum msr_result result = row == NULL
                                 ? given_check(cpu, address)
                                 : write_check(cpu, row, n, value, &reserved);
    bool paid = result == MSR_OK && instruction_pay_all(cpu);

    if (!paid) {
        pay_for(cpu, result);
    }
    if (result == MSR_OK) {
        write_now(cpu, row, n, address, value & ~reserved);
    }
    if (result == MSR_OK || result == MSR_GP_FAULT) {
        cpu_trace(cpu,
            result == MSR_OK ? &sim_events[SIM_EVENT_WRMSR]
                             : &sim_events[SIM_EVENT_WRMSR_GP],
            address, value);
    }
    if (!paid || (row != NULL && row->write.cpu != NULL)) {
        /* Counters interrupt when they overflow, not when they are set. */
        instruction_end_paid(cpu, paid);
    }
    return result;
}

/* The slot that ECX means, PMU_SLOTS when none. Intel: ECX[31:16] is the type,
 * 0 GP, 4000H fixed, ECX[15:0] the index; "fast" mode (bit 31) exists on
 * non-architectural PMUs only, and there are no metrics, 2000H (pmu.md 1.5).
 * AMD: the index of a counter. */
static unsigned rdpmc_find(const struct cpu *cpu, uint32_t selector)
{
    const struct pmu_model *model = cpu->pmu.model;
    uint32_t index = selector & 0xFFFF;

    if (model->vendor == VENDOR_ARM) {
        return PMU_SLOTS;
    }
    if (model->vendor == VENDOR_AMD) {
        return selector < model->general ? selector : PMU_SLOTS;
    }
    if (selector >> 16 == 0) {
        return index < model->general ? index : PMU_SLOTS;
    }
    return selector >> 16 == 0x4000 && index < LIMIT_FIXED_COUNTERS &&
                   model_has_fixed(model, index)
               ? PMU_FIXED_SLOT + index
               : PMU_SLOTS;
}

enum msr_result msr_rdpmc(struct cpu *cpu, uint32_t selector, enum ring ring,
    bool cr4_pce, uint64_t *value)
{
    unsigned slot = rdpmc_find(cpu, selector);
    bool allowed = slot != PMU_SLOTS && (ring == RING_KERNEL || cr4_pce);

    pay_for(cpu, allowed ? MSR_OK : MSR_GP_FAULT);
    if (allowed) {
        *value = pmu_value(&cpu->pmu, slot);
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDPMC], selector, *value);
    } else {
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDPMC_GP], selector);
    }
    instruction_end(cpu);
    return allowed ? MSR_OK : MSR_GP_FAULT;
}

bool msr_is_clock(uint32_t address)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        if (msr_rows[i].address == address) {
            return msr_rows[i].read.cpu == msr_read_tsc ||
                   msr_rows[i].read.cpu == msr_read_mperf ||
                   msr_rows[i].read.cpu == msr_read_aperf;
        }
    }
    return false;
}

bool msr_name(size_t n, char *name, size_t size)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];
        unsigned most = row->most;

        if (n >= most) {
            n -= most;
        } else if (most == 1) {
            snprintf(name, size, "%s", row->name);
            return true;
        } else {
            snprintf(name, size, "%s%zu", row->name, n);
            return true;
        }
    }
    return false;
}

/* What stands behind the row's name: nothing for a single register, else the
 * number of one, written as msr_name() does. */
static bool read_number(
    const struct msr_row *row, const char *text, unsigned *n)
{
    *n = 0;
    if (row->most == 1) {
        return *text == '\0';
    }
    if (*text == '\0' || (text[0] == '0' && text[1] != '\0')) {
        return false;
    }
    for (; *text >= '0' && *text <= '9' && *n < row->most; text++) {
        *n = 10 * *n + (unsigned)(*text - '0');
    }
    return *text == '\0' && *n < row->most;
}

bool msr_address(const char *name, uint32_t *address)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];
        size_t length = strlen(row->name);
        unsigned n;

        if (strncmp(row->name, name, length) == 0 &&
            read_number(row, name + length, &n)) {
            *address = row->address + n * row->stride;
            return true;
        }
    }
    return false;
}
