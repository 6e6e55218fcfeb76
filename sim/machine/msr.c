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
#include "sim/machine/msr_map.h"
#include "sim/machine/real_msr.h"
#include "sim/machine/system_registers.h"
#include "sim/pmu/x86_registers.h"

/* What stands in the columns of registers.def for reading and writing. */
#define MSR_READ_FIELD(member)                                                 \
    {                                                                          \
        MSR_FIELD,                                                             \
        {                                                                      \
            .field = offsetof(struct cpu, pmu.member)                          \
        }                                                                      \
    }
#define MSR_READ_COUNTER(slot)                                                 \
    {                                                                          \
        MSR_COUNTER,                                                           \
        {                                                                      \
            .counter = (slot)                                                  \
        }                                                                      \
    }
#define MSR_READ_CALL(name)                                                    \
    {                                                                          \
        MSR_PMU,                                                               \
        {                                                                      \
            .pmu = msr_read_##name                                             \
        }                                                                      \
    }
#define MSR_READ_LAPIC_FIELD(member)                                           \
    {                                                                          \
        MSR_FIELD,                                                             \
        {                                                                      \
            .field = offsetof(struct cpu, lapic.member)                        \
        }                                                                      \
    }
#define MSR_READ_SYSTEM_FIELD(member)                                          \
    {                                                                          \
        MSR_FIELD,                                                             \
        {                                                                      \
            .field = offsetof(struct cpu, system.member)                       \
        }                                                                      \
    }
#define MSR_READ_SYSTEM_CALL(name)                                             \
    {                                                                          \
        MSR_CPU,                                                               \
        {                                                                      \
            .cpu = msr_read_##name                                             \
        }                                                                      \
    }
#define MSR_READ_ZERO                                                          \
    {                                                                          \
        .how = MSR_NOTHING                                                     \
    }
#define MSR_WRITE_FIELD(member)                                                \
    {                                                                          \
        MSR_FIELD,                                                             \
        {                                                                      \
            .field = offsetof(struct cpu, pmu.member)                          \
        }                                                                      \
    }
#define MSR_WRITE_CALL(name)                                                   \
    {                                                                          \
        MSR_PMU,                                                               \
        {                                                                      \
            .pmu = msr_write_##name                                            \
        }                                                                      \
    }
#define MSR_WRITE_LAPIC_FIELD(member)                                          \
    {                                                                          \
        MSR_FIELD,                                                             \
        {                                                                      \
            .field = offsetof(struct cpu, lapic.member)                        \
        }                                                                      \
    }
#define MSR_WRITE_LAPIC_CALL(name)                                             \
    {                                                                          \
        MSR_CPU,                                                               \
        {                                                                      \
            .cpu = msr_write_##name                                            \
        }                                                                      \
    }
#define MSR_WRITE_SYSTEM_FIELD(member)                                         \
    {                                                                          \
        MSR_FIELD,                                                             \
        {                                                                      \
            .field = offsetof(struct cpu, system.member)                       \
        }                                                                      \
    }
#define MSR_WRITE_SYSTEM_CALL(name)                                            \
    {                                                                          \
        MSR_CPU,                                                               \
        {                                                                      \
            .cpu = msr_write_##name                                            \
        }                                                                      \
    }
#define MSR_WRITE_NOTHING                                                      \
    {                                                                          \
        .how = MSR_NOTHING                                                     \
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
#define MSR_ROOM_COUNTER(slot) (PMU_SLOTS - (slot))
#define MSR_ROOM_CALL(name) SIZE_MAX
#define MSR_ROOM_ZERO SIZE_MAX
#define MSR(                                                                   \
    name, address, stride, most, exists, access, reserved, read, write)        \
    _Static_assert((most) <= MSR_ROOM_##read, #name);                          \
    _Static_assert((stride) == 1 || (stride) == 2, #name);
#include "sim/machine/registers.def"

static void pay(struct cpu *cpu, uint64_t instructions)
{
    instruction_pay(cpu, cpu->access_cycles, instructions);
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

/* The register at the address on this processor; NULL when it has none there.
 */
static const struct msr_slot *msr_find(const struct cpu *cpu, uint32_t address)
{
    const struct msr_slot *slot = msr_map_slot(cpu->msr_map, address);

    return slot->address == address && slot->row != MSR_COUNT ? slot : NULL;
}

static const struct msr_row *row_of(const struct msr_slot *slot)
{
    return &msr_rows[slot->row];
}

/* No switches: the host foresees these better than one jump to many places. */
static inline uint64_t slot_value(
    const struct msr_slot *slot, const struct cpu *cpu)
{
    uint64_t value;

    if (slot->read == MSR_COUNTER) {
        return pmu_value(&cpu->pmu, slot->from.counter);
    }
    memcpy(&value, (const char *)cpu + slot->from.field, sizeof(value));
    return value;
}

static uint64_t slot_read(const struct msr_slot *slot, const struct cpu *cpu)
{
    if (slot->read == MSR_PMU) {
        return slot->from.pmu(&cpu->pmu, slot->n);
    }
    if (slot->read == MSR_CPU) {
        return slot->from.cpu(cpu);
    }
    return slot->read == MSR_NOTHING ? 0 : slot_value(slot, cpu);
}

static inline void slot_write(
    const struct msr_slot *slot, struct cpu *cpu, uint64_t value)
{
    if (slot->write == MSR_PMU) {
        slot->to.pmu(&cpu->pmu, slot->n, value);
    } else if (slot->write == MSR_CPU) {
        slot->to.cpu(cpu, value);
    } else if (slot->write == MSR_FIELD) {
        memcpy((char *)cpu + slot->to.field, &value, sizeof(value));
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

/* What an access would come to. `slot` is the address's, NULL without one. */
static enum msr_result read_check(
    const struct cpu *cpu, const struct msr_slot *slot, uint32_t address)
{
    const struct msr_given *given;

    if (slot == NULL) {
        return given_find(cpu, address, &given) != NULL
                   ? MSR_OK
                   : msr_missing(cpu, address);
    }
    return row_of(slot)->access == MSR_WO ? MSR_GP_FAULT : MSR_OK;
}

static uint64_t read_now(
    const struct cpu *cpu, const struct msr_slot *slot, uint32_t address)
{
    const struct msr_given *given;

    return slot == NULL ? *given_find(cpu, address, &given)
                        : slot_read(slot, cpu);
}

enum msr_result msr_peek(
    const struct cpu *cpu, uint32_t address, uint64_t *value)
{
    const struct msr_slot *slot = msr_find(cpu, address);
    enum msr_result result = read_check(cpu, slot, address);

    if (result == MSR_OK) {
        *value = read_now(cpu, slot, address);
    }
    return result;
}

/* Where more is to be asked than of nearly every access. */
__attribute__((noinline)) static enum msr_result read_asking(
    struct cpu *cpu, uint32_t address, uint64_t *value)
{
    const struct msr_slot *slot = msr_find(cpu, address);
    enum msr_result result = read_check(cpu, slot, address);
    bool paid = result == MSR_OK && instruction_pay_asking(cpu);

    if (!paid) {
        pay_for(cpu, result);
    }
    if (result == MSR_OK) {
        *value = read_now(cpu, slot, address);
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDMSR], address, *value);
    } else if (result == MSR_GP_FAULT) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDMSR_GP], address);
    }
    if (!paid) {
        cpu_checkpoint(cpu);
    }
    return result;
}

__attribute__((noinline)) static enum msr_result trace_access(struct cpu *cpu,
    const struct trace_kind *kind, uint32_t address, uint64_t value)
{
    cpu_trace_now(cpu, kind, address, value);
    return MSR_OK;
}

enum msr_result msr_read(struct cpu *cpu, uint32_t address, uint64_t *value)
{
    const struct msr_slot *slot = msr_map_slot(cpu->msr_map, address);

    if (slot->address != address || slot->read > MSR_COUNTER ||
        !instruction_pay_all(cpu)) {
        return read_asking(cpu, address, value);
    }
    *value = slot_value(slot, cpu);
    return cpu_is_traced(cpu) ? trace_access(cpu, &sim_events[SIM_EVENT_RDMSR],
                                    address, *value)
                              : MSR_OK;
}

/* Apart, as in msr_read(). */
__attribute__((noinline)) static uint64_t read_known_asking(
    struct cpu *cpu, uint32_t address)
{
    uint64_t value = 0;
    enum msr_result result = msr_read(cpu, address, &value);

    assert(result == MSR_OK);
    (void)result;
    return value;
}

uint64_t msr_read_known(struct cpu *cpu, uint32_t address)
{
    const struct msr_slot *slot = msr_map_slot(cpu->msr_map, address);

    return slot->address != address || slot->read > MSR_COUNTER ||
                   cpu_is_traced(cpu) || !instruction_pay_all(cpu)
               ? read_known_asking(cpu, address)
               : slot_value(slot, cpu);
}

void msr_write_paid(struct cpu *cpu, uint32_t address, uint64_t value)
{
    const struct msr_slot *slot = msr_find(cpu, address);

    assert(slot != NULL && row_of(slot)->access != MSR_RO);
    assert(row_of(slot)->reserved(cpu->pmu.model, value) == 0);
    slot_write(slot, cpu, value);
    cpu_trace(cpu, &sim_events[SIM_EVENT_WRMSR], address, value);
    cpu_checkpoint(cpu);
}

bool msr_pay_or_leave(
    struct cpu *cpu, void (*rest)(void *context, struct cpu *cpu))
{
    cpu_spend(cpu, cpu->access_cycles, 1);
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
    const struct msr_slot *slot, uint64_t value, uint64_t *reserved)
{
    const struct msr_row *row = row_of(slot);

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
    if (row->access == MSR_RWK && value != slot_read(slot, cpu)) {
        return MSR_NOT_MODELLED;
    }
    return MSR_OK;
}

static void write_now(struct cpu *cpu, const struct msr_slot *slot,
    uint32_t address, uint64_t value)
{
    const struct msr_given *given;

    if (slot == NULL) {
        *given_find(cpu, address, &given) = value;
    } else {
        slot_write(slot, cpu, value);
    }
}

/* As read_asking(). */
__attribute__((noinline)) static enum msr_result write_asking(
    struct cpu *cpu, uint32_t address, uint64_t value)
{
    const struct msr_slot *slot = msr_find(cpu, address);
    uint64_t reserved = 0;
    enum msr_result result = slot == NULL
                                 ? given_check(cpu, address)
                                 : write_check(cpu, slot, value, &reserved);
    bool paid = result == MSR_OK && instruction_pay_asking(cpu);

    if (!paid) {
        pay_for(cpu, result);
    }
    if (result == MSR_OK) {
        write_now(cpu, slot, address, value & ~reserved);
    }
    if (result == MSR_OK || result == MSR_GP_FAULT) {
        cpu_trace(cpu,
            result == MSR_OK ? &sim_events[SIM_EVENT_WRMSR]
                             : &sim_events[SIM_EVENT_WRMSR_GP],
            address, value);
    }
    if (paid) {
        instruction_end_paid(cpu);
    } else {
        cpu_checkpoint(cpu);
    }
    return result;
}

/* A write that has been paid for, and is traced. */
__attribute__((noinline)) static enum msr_result write_traced(struct cpu *cpu,
    const struct msr_slot *slot, uint32_t address, uint64_t value)
{
    slot_write(slot, cpu, value & slot->kept);
    cpu_trace_now(cpu, &sim_events[SIM_EVENT_WRMSR], address, value);
    instruction_end_paid(cpu);
    return MSR_OK;
}

/* One that may be what makes a difference: counters interrupt when they
 * overflow, not when they are set. */
__attribute__((noinline)) static enum msr_result write_cpu(
    struct cpu *cpu, const struct msr_slot *slot, uint64_t value)
{
    slot->to.cpu(cpu, value & slot->kept);
    instruction_end_paid(cpu);
    return MSR_OK;
}

/* Apart, so that nothing is to be kept for what it calls where it is not. */
__attribute__((noinline)) static enum msr_result write_pmu(
    struct cpu *cpu, const struct msr_slot *slot, uint64_t value)
{
    slot->to.pmu(&cpu->pmu, slot->n, value & slot->kept);
    return MSR_OK;
}

enum msr_result msr_write(struct cpu *cpu, uint32_t address, uint64_t value)
{
    const struct msr_slot *slot = msr_map_slot(cpu->msr_map, address);

    if (slot->address != address || slot->write == MSR_ASK ||
        (value & slot->refused) != 0 || !instruction_pay_all(cpu)) {
        return write_asking(cpu, address, value);
    }
    if (cpu_is_traced(cpu)) {
        return write_traced(cpu, slot, address, value);
    }
    if (slot->write == MSR_CPU) {
        return write_cpu(cpu, slot, value);
    }
    if (slot->write == MSR_PMU) {
        return write_pmu(cpu, slot, value);
    }
    slot_write(slot, cpu, value & slot->kept);
    return MSR_OK;
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
    cpu_checkpoint(cpu);
    return allowed ? MSR_OK : MSR_GP_FAULT;
}

bool msr_is_clock(uint32_t address)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        if (msr_rows[i].address == address) {
            const struct msr_row_read *read = &msr_rows[i].read;

            return read->how == MSR_CPU &&
                   (read->from.cpu == msr_read_tsc ||
                       read->from.cpu == msr_read_mperf ||
                       read->from.cpu == msr_read_aperf);
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
