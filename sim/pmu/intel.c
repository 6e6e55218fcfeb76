/* intel.c - Intel's PMU registers: which there are, what may be written to
 * them, and what that does (pmu.md 1.2, 1.5). */
#include "sim/pmu/intel.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/msr_rows.h"

enum {
    SELECT_ANY = 21,
    FIXED_ANY = 2, /* in a counter's field of IA32_FIXED_CTR_CTRL */
    FIXED_FIELD = 4,
    SELECT_ADAPTIVE = 34,
    FIXED_ADAPTIVE = 32, /* of fixed counter n it is bit 32+4n */
};

static const struct pmu_model *model_of(const struct cpu *cpu)
{
    return cpu->pmu.model;
}

static bool is_intel(const struct cpu *cpu, unsigned since)
{
    return model_of(cpu)->vendor == VENDOR_INTEL &&
           model_of(cpu)->version >= since;
}

bool msr_exists_intel(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return is_intel(cpu, 0);
}

bool msr_exists_intel_v2(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return is_intel(cpu, 2);
}

bool msr_exists_intel_v4(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return is_intel(cpu, 4);
}

bool msr_exists_intel_general(const struct cpu *cpu, unsigned n)
{
    return is_intel(cpu, 1) && n < model_of(cpu)->general;
}

bool msr_exists_intel_fixed(const struct cpu *cpu, unsigned n)
{
    return is_intel(cpu, 2) && model_has_fixed(model_of(cpu), n);
}

bool msr_exists_full_width(const struct cpu *cpu, unsigned n)
{
    return msr_exists_intel_general(cpu, n) && model_of(cpu)->full_width;
}

bool msr_exists_capabilities(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return is_intel(cpu, 0) && intel_capabilities(model_of(cpu)) != 0;
}

/* Bits 63:32 but the adaptive one; bit 21 is AnyThread (pmu.md 1.2). */
uint64_t msr_reserved_intel_select(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    const struct pmu_model *model = model_of(cpu);
    uint64_t writable = UINT64_C(0xFFDFFFFF);

    (void)n;
    writable |= bit_if(model->any_thread, SELECT_ANY) |
                bit_if(model->pebs_baseline, SELECT_ADAPTIVE);
    return value & ~writable;
}

uint64_t msr_reserved_fixed_ctrl(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    const struct pmu_model *model = model_of(cpu);
    uint64_t field = bits_low(FIXED_FIELD) & ~bit(FIXED_ANY);
    uint64_t writable = 0;

    (void)n;
    field |= bit_if(model->any_thread, FIXED_ANY);
    for (unsigned i = 0; i < LIMIT_FIXED_COUNTERS; i++) {
        if (model_has_fixed(model, i)) {
            writable |=
                field << FIXED_FIELD * i |
                bit_if(model->pebs_baseline, FIXED_ADAPTIVE + FIXED_FIELD * i);
        }
    }
    return value & ~writable;
}

uint64_t msr_reserved_width(const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    return value & ~bits_low(model_of(cpu)->width);
}

uint64_t msr_reserved_counters(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    return value & ~model_counters(model_of(cpu));
}

/* The bits that STATUS can have: counters, 62 DS buffer, 63 CondChgd; 61 uncore
 * since version 3, 58 to 60 since version 4. */
uint64_t msr_reserved_status(const struct cpu *cpu, unsigned n, uint64_t value)
{
    const struct pmu_model *model = model_of(cpu);
    uint64_t writable = model_counters(model) | bit(62) | bit(63);

    (void)n;
    writable |= bit_if(model->version >= 3, 61);
    if (model->version >= 4) {
        writable |= bits_low(3) << STATUS_LBR_FRZ;
    }
    return value & ~writable;
}

/* What STATUS_RESET takes, but CondChgd [C]. */
uint64_t msr_reserved_status_set(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    return msr_reserved_status(cpu, n, value) | (value & bit(63));
}

/* Bit 12 freezes the counters on a PMI, bit 11 the stack of last branches,
 * which the model does not have, so no bit switches it on. Both came with the
 * global registers. */
uint64_t msr_reserved_debugctl(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    bool global = pmu_has_global(model_of(cpu));

    (void)n;
    return value & ~(bit_if(global, 11) | bit_if(global, 12));
}

/* Bit 7: perfmon available; bit 12: PEBS unavailable. */
uint64_t msr_read_misc_enable(const struct cpu *cpu, unsigned n)
{
    const struct pmu_model *model = model_of(cpu);

    (void)n;
    return bit_if(!model->pebs, 12) | bit_if(model->version > 0, 7);
}

uint64_t msr_read_capabilities(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return intel_capabilities(model_of(cpu));
}

uint64_t msr_read_general(const struct cpu *cpu, unsigned n)
{
    return pmu_value(&cpu->pmu, n);
}

uint64_t msr_read_fixed(const struct cpu *cpu, unsigned n)
{
    return pmu_value(&cpu->pmu, PMU_FIXED_SLOT + n);
}

uint64_t msr_read_select(const struct cpu *cpu, unsigned n)
{
    return cpu->pmu.select[n];
}

uint64_t msr_read_debugctl(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.debugctl;
}

uint64_t msr_read_fixed_ctrl(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.fixed_ctrl;
}

uint64_t msr_read_global_status(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.global_status;
}

uint64_t msr_read_global_ctrl(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return cpu->pmu.global_ctrl;
}

uint64_t msr_read_in_use(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return pmu_in_use(&cpu->pmu);
}

void msr_write_legacy(struct cpu *cpu, unsigned n, uint64_t value)
{
    struct pmc pmc = cpu->pmu.counter[n];

    pmc_set_legacy(&pmc, value);
    pmu_set_value(&cpu->pmu, n, pmc.value);
}

void msr_write_general(struct cpu *cpu, unsigned n, uint64_t value)
{
    pmu_set_value(&cpu->pmu, n, value);
}

void msr_write_fixed(struct cpu *cpu, unsigned n, uint64_t value)
{
    pmu_set_value(&cpu->pmu, PMU_FIXED_SLOT + n, value);
}

void msr_write_select(struct cpu *cpu, unsigned n, uint64_t value)
{
    pmu_set_select(&cpu->pmu, n, value);
}

void msr_write_debugctl(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    cpu->pmu.debugctl = value;
}

void msr_write_fixed_ctrl(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_fixed_ctrl(&cpu->pmu, value);
}

void msr_write_global_ctrl(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_global_ctrl(&cpu->pmu, value);
}

/* Writing 1 clears (pmu.md 1.2). */
void msr_write_status_reset(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_status(&cpu->pmu, cpu->pmu.global_status & ~value);
}

void msr_write_status_set(struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_status(&cpu->pmu, cpu->pmu.global_status | value);
}
