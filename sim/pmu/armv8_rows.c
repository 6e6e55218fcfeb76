/* armv8_rows.c - the table of armv8.def, and what each register reads and
 * does. Reserved bits ignore writes: none is ever stored. */
#include "sim/pmu/armv8_rows.h"

#include <string.h>

#include "sim/base/bits.h"
#include "sim/pmu/armv8_count.h"

enum {
    /* PMEVTYPER<n>_EL0: bits 31 to 26 filter; the event has ten bits, or 16
     * since PMUv3p1 */
    TYPE_FILTER_BITS = 6,
    TYPE_FILTER = 26,
    /* ID_AA64DFR0_EL1 */
    DFR0_DEBUG_VERSION = 6, /* Armv8 */
    DFR0_PMU_VERSION = 8,
    /* PMUSERENR_EL0 */
    EN = 1,
    SW = 2,
    CR = 4,
    ER = 8,
    /* columns of armv8.def beside these */
    ALWAYS = ARMV8_USER_ALWAYS,
    NEVER = 0,
};

/* Counters that code at this level sees in PMCNTENSET_EL0 and the like; the
 * bits of others read as zero and ignore writes. */
static uint32_t visible(const struct armv8_pmu *pmu, unsigned el)
{
    return (uint32_t)bits_low(armv8_accessible(pmu, el)) |
           armv8_mask(ARMV8_CYCLES);
}

static uint64_t read_zero(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    (void)pmu;
    return 0;
}

static void write_nothing(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    (void)access;
    (void)pmu;
    (void)value;
}

/* Breakpoints and the other debug features are not modelled [C]. */
static uint64_t read_dfr0(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return (uint64_t)pmu->features->pmu_version << DFR0_PMU_VERSION |
           DFR0_DEBUG_VERSION;
}

static uint64_t read_pmcr(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return pmu->pmcr |
           (uint64_t)armv8_accessible(pmu, access.el) << ARMV8_PMCR_N |
           (uint64_t)pmu->features->id_code << ARMV8_PMCR_IDCODE |
           (uint64_t)pmu->features->implementer << ARMV8_PMCR_IMP;
}

/* Bits that keep what is written. X does not: there is no event bus. */
static uint64_t pmcr_writable(const struct armv8_features *features)
{
    uint64_t mask = bit(ARMV8_PMCR_E) | bit(ARMV8_PMCR_DP);

    if (!features->aarch64_only) {
        mask |= bit(ARMV8_PMCR_D) | bit(ARMV8_PMCR_LC);
    }
    if (features->pmu_version >= ARMV8_PMUV3P5) {
        mask |= bit(ARMV8_PMCR_LP);
    }
    if (features->pmu_version >= ARMV8_PMUV3P7) {
        mask |= bit(ARMV8_PMCR_FZO);
    }
    return mask;
}

/* P resets the event counters that this level has, C the cycle counter, and
 * the divider with it [C]. Neither clears an overflow bit. */
static void write_pmcr(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    uint64_t writable = pmcr_writable(pmu->features);

    pmu->pmcr = (pmu->pmcr & ~writable) | (value & writable);
    if (bit_is_set(value, ARMV8_PMCR_P)) {
        memset(pmu->counter, 0,
            armv8_accessible(pmu, access.el) * sizeof(pmu->counter[0]));
    }
    if (bit_is_set(value, ARMV8_PMCR_C)) {
        pmu->counter[ARMV8_CYCLES] = 0;
        pmu->divided = 0;
    }
    armv8_decode(pmu);
}

static uint64_t read_enabled(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return pmu->enabled & visible(pmu, access.el);
}

static void write_enabled_set(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->enabled |= (uint32_t)value & visible(pmu, access.el);
    armv8_decode(pmu);
}

static void write_enabled_clear(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->enabled &= ~((uint32_t)value & visible(pmu, access.el));
    armv8_decode(pmu);
}

static uint64_t read_overflowed(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return pmu->overflowed & visible(pmu, access.el);
}

static void write_overflowed_set(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    armv8_latch(pmu, (uint32_t)value & visible(pmu, access.el));
}

static void write_overflowed_clear(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->overflowed &= ~((uint32_t)value & visible(pmu, access.el));
    armv8_decode(pmu);
}

static uint64_t read_interrupts(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return pmu->interrupts & visible(pmu, access.el);
}

static void write_interrupts_set(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->interrupts |= (uint32_t)value & visible(pmu, access.el);
}

static void write_interrupts_clear(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->interrupts &= ~((uint32_t)value & visible(pmu, access.el));
}

static void write_increment(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    armv8_increment(pmu, (uint32_t)value & visible(pmu, access.el), access.el);
}

static uint64_t read_select(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return pmu->select;
}

static void write_select(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    (void)access;
    pmu->select = bits_get(value, 0, 5);
}

/* The high halves are for events 4000 and up; none of those is there. */
static uint64_t read_ceid0(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return bits_get(armv8_common_events(pmu->features), 0, 32);
}

static uint64_t read_ceid1(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return bits_get(armv8_common_events(pmu->features), 32, 32);
}

static uint64_t read_counter(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return pmu->counter[access.n];
}

/* A write of the cycle counter starts the divider anew, so that a preset comes
 * to its end after a whole number of periods [C]. */
static void write_counter(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    if (access.n == ARMV8_CYCLES) {
        pmu->divided = 0;
    }
    pmu->counter[access.n] =
        access.n == ARMV8_CYCLES || armv8_has_long_counters(pmu->features)
            ? value
            : bits_get(value, 0, 32);
}

static uint64_t read_type(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return pmu->type[access.n];
}

static void write_type(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    unsigned number_bits =
        pmu->features->pmu_version >= ARMV8_PMUV3P1 ? 16 : 10;

    pmu->type[access.n] = bits_get(value, TYPE_FILTER, TYPE_FILTER_BITS)
                          << TYPE_FILTER;
    if (access.n != ARMV8_CYCLES) {
        pmu->type[access.n] |= bits_get(value, 0, number_bits);
    }
    armv8_decode(pmu);
}

static uint64_t read_user_enable(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return pmu->user_enable;
}

static void write_user_enable(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    (void)access;
    pmu->user_enable = value & (EN | SW | CR | ER);
}

static uint64_t read_mdcr(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return pmu->mdcr;
}

/* Traps of debug registers are not modelled; their bits read as zero [C]. */
static uint64_t mdcr_writable(const struct armv8_features *features)
{
    uint64_t mask = 0;

    if (features->pmu_version >= ARMV8_PMUV3) {
        mask |= bits_low(ARMV8_MDCR_HPMN_BITS) | bit(ARMV8_MDCR_TPMCR) |
                bit(ARMV8_MDCR_TPM) | bit(ARMV8_MDCR_HPME);
    }
    if (features->pmu_version >= ARMV8_PMUV3P1) {
        mask |= bit(ARMV8_MDCR_HPMD);
    }
    if (features->pmu_version >= ARMV8_PMUV3P5) {
        mask |= bit(ARMV8_MDCR_HCCD) | bit(ARMV8_MDCR_HLP);
    }
    if (features->pmu_version >= ARMV8_PMUV3P7) {
        mask |= bit(ARMV8_MDCR_HPMFZO);
    }
    return mask;
}

static void write_mdcr(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    (void)access;
    pmu->mdcr = value & mdcr_writable(pmu->features);
    armv8_decode(pmu);
}

const struct armv8_row armv8_rows[ARMV8_ROWS] = {
#define ARMV8(name, suffix, op1, crn, crm, op2, count, since, access, reads,   \
    writes, which, read, write)                                                \
    [ARMV8_##name##_##suffix] = {#name, "_" #suffix,                           \
        ARMV8_ENCODE(3, op1, crn, crm, op2), op1, count, since,                \
        ARMV8_ACCESS_##access, reads, writes, ARMV8_WHICH_##which,             \
        read_##read, write_##write},
#include "sim/pmu/armv8.def"
};
