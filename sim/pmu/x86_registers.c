/* x86_registers.c - Intel's and AMD's PMU registers: what they take and do.
 *
 * Those that only store are fields and have no function (intel.def, amd.def).
 */
#include "sim/pmu/x86_registers.h"

#include "sim/base/bits.h"

enum {
    SELECT_ANY = 21,
    SELECT_ADAPTIVE = 34,
    FIXED_ANY = 2, /* in a counter's field of IA32_FIXED_CTR_CTRL */
    FIXED_FIELD = 4,
    INUSE_PMI = 63,
    FIXED_ADAPTIVE = 32, /* of fixed counter n it is bit 32+4n */
    LINEAR_BITS = 48,
};

uint64_t intel_capabilities(const struct pmu_model *model)
{
    enum {
        PEBS_TRAP = 1 << 6,
        PEBS_REGISTERS = 1 << 7,
        FULL_WIDTH = 1 << 13,
        PEBS_BASELINE = 1 << 14,
        PEBS_FORMAT = 8
    };

    return (model->full_width ? FULL_WIDTH : 0u) |
           (model->pebs ? PEBS_TRAP | PEBS_REGISTERS |
                              model->pebs_format << PEBS_FORMAT
                        : 0u) |
           (model->pebs_baseline ? PEBS_BASELINE : 0u);
}

/* What IA32_MISC_ENABLE reads. Bit 7: perfmon is there; 11: BTS is not, which
 * no model has; 12: PEBS is not. Fast strings (0), automatic thermal control
 * (3) and Enhanced SpeedStep (16) are on, MONITOR (18) is off. */
static uint64_t misc_enable(const struct pmu_model *model)
{
    return bit(0) | bit(3) | bit_if(model->version > 0, 7) | bit(11) |
           bit_if(!model->pebs, 12) | bit(16);
}

static bool is_intel(const struct pmu_model *model, unsigned since)
{
    return model->vendor == VENDOR_INTEL && model->version >= since;
}

static bool is_amd(const struct pmu_model *model, unsigned since)
{
    return model->vendor == VENDOR_AMD && model->version >= since;
}

bool msr_exists_x86(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return model->vendor != VENDOR_ARM;
}

bool msr_exists_intel(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return is_intel(model, 0);
}

bool msr_exists_intel_v2(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return is_intel(model, 2);
}

bool msr_exists_intel_v4(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return is_intel(model, 4);
}

bool msr_exists_intel_general(const struct pmu_model *model, unsigned n)
{
    return is_intel(model, 1) && n < model->general;
}

bool msr_exists_intel_fixed(const struct pmu_model *model, unsigned n)
{
    return is_intel(model, 2) && model_has_fixed(model, n);
}

bool msr_exists_full_width(const struct pmu_model *model, unsigned n)
{
    return msr_exists_intel_general(model, n) && model->full_width;
}

bool msr_exists_capabilities(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return is_intel(model, 0) && intel_capabilities(model) != 0;
}

bool msr_exists_pebs(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return model->pebs;
}

bool msr_exists_pebs_adaptive(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return model->pebs_baseline;
}

bool msr_exists_amd(const struct pmu_model *model, unsigned n)
{
    return is_amd(model, 1) && n < model->general;
}

bool msr_exists_amd_core(const struct pmu_model *model, unsigned n)
{
    return is_amd(model, 2) && n < model->general;
}

bool msr_exists_amd_v2(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return is_amd(model, 3);
}

uint64_t msr_reserved_none(const struct pmu_model *model, uint64_t value)
{
    (void)model;
    (void)value;
    return 0;
}

uint64_t msr_reserved_all(const struct pmu_model *model, uint64_t value)
{
    (void)model;
    return value;
}

uint64_t msr_reserved_width(const struct pmu_model *model, uint64_t value)
{
    return value & ~bits_low(model->width);
}

uint64_t msr_reserved_counters(const struct pmu_model *model, uint64_t value)
{
    return value & ~model_counters(model);
}

/* Bits 63:32 but the adaptive one; bit 21 is AnyThread (pmu.md 1.2). */
uint64_t msr_reserved_intel_select(
    const struct pmu_model *model, uint64_t value)
{
    uint64_t writable = UINT64_C(0xFFDFFFFF);

    writable |= bit_if(model->any_thread, SELECT_ANY) |
                bit_if(model->pebs_baseline, SELECT_ADAPTIVE);
    return value & ~writable;
}

uint64_t msr_reserved_fixed_ctrl(const struct pmu_model *model, uint64_t value)
{
    uint64_t field = bits_low(FIXED_FIELD) & ~bit(FIXED_ANY);
    uint64_t writable = 0;

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

/* The bits that STATUS can have: counters, 62 DS buffer, 63 CondChgd; 61 uncore
 * since version 3, 58 to 60 since version 4. */
uint64_t msr_reserved_status(const struct pmu_model *model, uint64_t value)
{
    uint64_t writable = model_counters(model) | bit(62) | bit(63);

    writable |= bit_if(model->version >= 3, 61);
    if (model->version >= 4) {
        writable |= bits_low(3) << STATUS_LBR_FRZ;
    }
    return value & ~writable;
}

/* What STATUS_RESET takes, but CondChgd [C]. */
uint64_t msr_reserved_status_set(const struct pmu_model *model, uint64_t value)
{
    return msr_reserved_status(model, value) | (value & bit(63));
}

/* Bit 0 switches on the stack of last branches, bit 1 makes single steps of
 * branches: both are kept, and the stack's registers are not modelled. Bit 12
 * freezes the counters on a PMI, bit 11 that stack; they came with the global
 * registers. */
uint64_t msr_reserved_debugctl(const struct pmu_model *model, uint64_t value)
{
    bool global = model_has_global(model);

    return value & ~(bits_low(2) | bit_if(global, 11) | bit_if(global, 12));
}

/* General counters; with the baseline every counter (pmu.md 1.2). */
uint64_t msr_reserved_pebs_enable(const struct pmu_model *model, uint64_t value)
{
    return value & ~(model->pebs_baseline ? model_counters(model)
                                          : bits_low(model->general));
}

uint64_t msr_reserved_pebs_data_cfg(
    const struct pmu_model *model, uint64_t value)
{
    (void)model;
    return value & ~UINT64_C(0xFF00000F);
}

/* Those that never change, and those that no part has. */
uint64_t msr_reserved_misc_enable(const struct pmu_model *model, uint64_t value)
{
    const uint64_t enables = bit(0) | bit(3) | bit(16) | bit(18) | bit(22) |
                             bit(23) | bit(34) | bit(38);

    return (value ^ misc_enable(model)) & ~enables;
}

/* An address whose high bits do not all repeat bit 47 is refused whole. */
uint64_t msr_reserved_canonical(const struct pmu_model *model, uint64_t value)
{
    uint64_t high = value >> (LINEAR_BITS - 1);

    (void)model;
    return high == 0 || high == bits_low(64 - LINEAR_BITS + 1) ? 0 : value;
}

uint64_t msr_reserved_amd_select(const struct pmu_model *model, uint64_t value)
{
    return value & ~(model->inert ? AMD_SELECT_BITS_OF_GUEST : AMD_SELECT_BITS);
}

/* The counters, 58 LBR freeze, 59 PMC freeze. */
uint64_t msr_reserved_amd_status(const struct pmu_model *model, uint64_t value)
{
    return value &
           ~(model_counters(model) | bit(STATUS_LBR_FRZ) | bit(STATUS_CTR_FRZ));
}

uint64_t msr_read_misc_enable(const struct pmu *pmu, unsigned n)
{
    (void)n;
    return misc_enable(pmu->model);
}

uint64_t msr_read_capabilities(const struct pmu *pmu, unsigned n)
{
    (void)n;
    return intel_capabilities(pmu->model);
}

/* Bit 63 for the PMI: the manual's table against its text (pmu.md 1.2) [C]. */
static uint64_t in_use(const struct pmu *pmu)
{
    uint64_t used = 0;

    for (unsigned n = 0; n < LIMIT_GP_COUNTERS; n++) {
        used |= bits_get(pmu->select[n], 0, 8) != 0 ? bit(n) : 0;
    }
    for (unsigned n = 0; n < LIMIT_FIXED_COUNTERS; n++) {
        used |= bits_get(pmu->fixed_ctrl, FIXED_FIELD * n, 2) != 0 ? bit(32 + n)
                                                                   : 0;
    }
    return pmu->interrupting != 0 || pmu->pebs.enable != 0
               ? used | bit(INUSE_PMI)
               : used;
}

uint64_t msr_read_in_use(const struct pmu *pmu, unsigned n)
{
    (void)n;
    return in_use(pmu);
}

void msr_write_legacy(struct pmu *pmu, unsigned n, uint64_t value)
{
    pmu_set_value(pmu, n, pmc_legacy(value, pmu->most));
}

void msr_write_general(struct pmu *pmu, unsigned n, uint64_t value)
{
    pmu_set_value(pmu, n, value);
}

void msr_write_fixed(struct pmu *pmu, unsigned n, uint64_t value)
{
    pmu_set_value(pmu, PMU_FIXED_SLOT + n, value);
}

void msr_write_select(struct pmu *pmu, unsigned n, uint64_t value)
{
    pmu_set_select(pmu, n, value);
}

void msr_write_fixed_ctrl(struct pmu *pmu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_fixed_ctrl(pmu, value);
}

void msr_write_global_ctrl(struct pmu *pmu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_global_ctrl(pmu, value);
}

/* Writing 1 clears (pmu.md 1.2). */
void msr_write_status_reset(struct pmu *pmu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_status(pmu, pmu->global_status & ~value);
}

void msr_write_status_set(struct pmu *pmu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_status(pmu, pmu->global_status | value);
}

void msr_write_pebs_enable(struct pmu *pmu, unsigned n, uint64_t value)
{
    (void)n;
    pmu_set_pebs_enable(pmu, value);
}
