/* msr_rows.c - counts, masks, reads and writes that registers.def names. */
#include "sim/msr_rows.h"

#include "sim/bits.h"
#include "sim/cpu.h"
#include "sim/icr.h"

static unsigned count_one(const struct cpu *cpu)
{
    (void)cpu;
    return 1;
}

static unsigned count_general(const struct cpu *cpu)
{
    return cpu->pmu.model->general;
}

static unsigned count_fixed(const struct cpu *cpu)
{
    return cpu->pmu.model->fixed;
}

static uint64_t writable_none(const struct cpu *cpu)
{
    (void)cpu;
    return 0;
}

static uint64_t writable_any(const struct cpu *cpu)
{
    (void)cpu;
    return UINT64_MAX;
}

/* Bits 63:32 and AnyThread (21, since version 3) are reserved (pmu.md 1.2). */
static uint64_t writable_select(const struct cpu *cpu)
{
    (void)cpu;
    return UINT64_C(0xFFDFFFFF);
}

/* Bit 12 freezes the counters on a PMI, bit 11 would freeze the LBR stack,
 * which the model does not have. */
static uint64_t writable_debugctl(const struct cpu *cpu)
{
    return cpu->pmu.model->version >= 2 ? bit(12) : 0;
}

static uint64_t writable_width(const struct cpu *cpu)
{
    return bits_low(cpu->pmu.model->width_bits);
}

/* Four bits a counter, of which bit 2 (AnyThread) came with version 3. */
static uint64_t writable_fixed_ctrl(const struct cpu *cpu)
{
    return bits_low(4u * cpu->pmu.model->fixed) & UINT64_C(0xBBB);
}

static uint64_t writable_counters(const struct cpu *cpu)
{
    return model_counters(cpu->pmu.model);
}

/* The bits that STATUS can have: counters, 62 DS buffer, 63 CondChgd. */
static uint64_t writable_status(const struct cpu *cpu)
{
    return model_counters(cpu->pmu.model) | bit(62) | bit(63);
}

static uint64_t writable_tpr(const struct cpu *cpu)
{
    (void)cpu;
    return 0xFF;
}

/* Destination, shorthand, trigger, level, destination mode, delivery mode,
 * vector; an x2APIC has no delivery status. */
static uint64_t writable_icr(const struct cpu *cpu)
{
    (void)cpu;
    return UINT64_C(0xFFFFFFFF000CCFFF);
}

/* Vector, delivery mode, mask; bit 12 is read-only. */
static uint64_t writable_lvtpc(const struct cpu *cpu)
{
    (void)cpu;
    return UINT64_C(0x107FF);
}

static uint64_t read_zero(const struct cpu *cpu, unsigned n)
{
    (void)cpu;
    (void)n;
    return 0;
}

static uint64_t read_pmc(const struct cpu *cpu, unsigned n)
{
    return cpu->pmu.counter[n].value;
}

static uint64_t read_select(const struct cpu *cpu, unsigned n)
{
    return cpu->pmu.select[n];
}

/* Bit 7: perfmon available; bit 12: PEBS unavailable. */
static uint64_t read_misc_enable(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return bit(12) | (cpu->pmu.model->version > 0 ? bit(7) : 0);
}

static uint64_t read_debugctl(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.debugctl;
}

static uint64_t read_fixed_ctr(const struct cpu *cpu, unsigned n)
{
    return cpu->pmu.counter[PMU_FIXED_SLOT + n].value;
}

static uint64_t read_fixed_ctrl(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.fixed_ctrl;
}

static uint64_t read_global_status(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.global_status;
}

static uint64_t read_global_ctrl(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.global_ctrl;
}

static uint64_t read_tpr(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->lapic.task_priority;
}

static uint64_t read_icr(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->lapic.icr;
}

static uint64_t read_lvtpc(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->lapic.lvtpc;
}

static void write_none(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    (void)value;
}

static void write_pmc(struct cpu *cpu, unsigned n, uint64_t value)
{
    pmc_set_legacy(&cpu->pmu.counter[n], value);
}

static void write_select(struct cpu *cpu, unsigned n, uint64_t value)
{
    cpu->pmu.select[n] = value;
    pmu_decode(&cpu->pmu);
}

static void write_debugctl(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->pmu.debugctl = value;
}

static void write_fixed_ctr(struct cpu *cpu, unsigned n, uint64_t value)
{
    cpu->pmu.counter[PMU_FIXED_SLOT + n].value = value;
}

static void write_fixed_ctrl(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->pmu.fixed_ctrl = value;
    pmu_decode(&cpu->pmu);
}

static void write_global_ctrl(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->pmu.global_ctrl = value;
    pmu_decode(&cpu->pmu);
}

/* Writing 1 clears (pmu.md 1.2). */
static void write_ovf_ctrl(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->pmu.global_status &= ~value;
}

static void write_tpr(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->lapic.task_priority = (uint8_t)value;
}

static void write_eoi(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    (void)value;
    lapic_eoi(&cpu->lapic);
}

static void write_icr(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->lapic.icr = value;
    icr_send(cpu, value);
}

static void write_lvtpc(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->lapic.lvtpc = (uint32_t)value;
}

const struct msr_row msr_rows[MSR_COUNT] = {
#define MSR(name, address, count, since, access, writable, read, write)        \
    [MSR_##name] = {#name, address, count_##count, since, MSR_##access,        \
        writable_##writable, read_##read, write_##write},
#include "sim/registers.def"
};

unsigned msr_row_most(const struct msr_row *row)
{
    if (row->count == count_general) {
        return LIMIT_GP_COUNTERS;
    }
    return row->count == count_fixed ? LIMIT_FIXED_COUNTERS : 1;
}
