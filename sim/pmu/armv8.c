/* armv8.c - the PMU of an Armv8 processor: its state, and what counts. */
#include "sim/pmu/armv8.h"

#include <assert.h>
#include <stddef.h>

#include "sim/base/bits.h"
#include "sim/base/limits.h"

enum {
    /* PMEVTYPER<n>_EL0 and PMCCFILTR_EL0 (pmu.md 1.7) */
    TYPE_P = 31,
    TYPE_U = 30,
    TYPE_NSK = 29,
    TYPE_NSU = 28,
    TYPE_NSH = 27,
    COMMON_EVENTS = 64,
};

static const struct common_event {
    const char *name; /* NULL: the model does not know this one */
    enum event driver;
} common_events[COMMON_EVENTS] = {
#define ARMV8_EVENT(name, number, event) [number] = {#name, EVENT_##event},
#include "sim/pmu/armv8_events.def"
};

/* Every event that a part has is a bit. */
_Static_assert(EVENT_COUNT <= 32, "armv8_features.events has too few bits");

/* The mask when this bit is set, else none. */
static uint32_t mask_if(uint64_t value, unsigned n, uint32_t mask)
{
    return bit_is_set(value, n) ? mask : 0;
}

struct armv8_features armv8_features_of(const struct pmu_model *model)
{
    struct armv8_features features = {
        .counters = (uint8_t)model->general,
        .pmu_version = (uint8_t)model->version,
        .implementer = (uint8_t)(model->signature >> 8),
        .id_code = (uint8_t)model->signature,
        .inert = model->inert,
        .access_cycles = model->msr_cycles,
    };

    assert(model->vendor == VENDOR_ARM);
    for (unsigned number = 0; number < COMMON_EVENTS; number++) {
        const struct common_event *row = &common_events[number];

        if (row->name != NULL && row->driver != EVENT_COUNT) {
            features.events |= (uint32_t)bit(row->driver);
        }
    }
    return features;
}

static bool features_check(const struct armv8_features *features)
{
    uint8_t version = features->pmu_version;

    assert(features->counters <= LIMIT_EVENT_COUNTERS);
    assert(version == ARMV8_NO_PMU || version == ARMV8_PMUV3 ||
           (version >= ARMV8_PMUV3P1 && version <= ARMV8_PMUV3P7));
    /* What every PMUv3 counts, and what every PMUv3p1 does (pmu.md 1.7). */
    assert(version == ARMV8_NO_PMU ||
           (bit_is_set(features->events, EVENT_CORE_CYCLES) &&
               bit_is_set(features->events, EVENT_INSTRUCTIONS)));
    assert(version < ARMV8_PMUV3P1 ||
           (bit_is_set(features->events, EVENT_STALLS_FRONTEND) &&
               bit_is_set(features->events, EVENT_STALLS_BACKEND)));
    return true;
}

bool armv8_check(const struct armv8_pmu *pmu)
{
    unsigned counters = pmu->features->counters;
    uint32_t there = (uint32_t)bits_low(counters) | armv8_mask(ARMV8_CYCLES);

    assert(features_check(pmu->features));
    assert(pmu->lower == (uint32_t)bits_low(pmu->lower_count));
    assert((pmu->lower | pmu->upper) == (uint32_t)bits_low(counters));
    assert(((pmu->enabled | pmu->overflowed | pmu->interrupts) & ~there) == 0);
    assert(pmu->plain == -1 || pmu->plain == pmu->features->pmu_version);
    assert(pmu->select < ARMV8_COUNTERS);
    assert(pmu->divided < ARMV8_DIVIDER);
    for (unsigned el = 0; el < ARMV8_ELS; el++) {
        assert((pmu->running[el] & ~pmu->enabled) == 0);
        assert((pmu->running[el] & ~pmu->passes[el]) == 0);
    }
    assert((pmu->lazy & ~(pmu->passes[1] & pmu->in_bursts)) == 0);
    for (unsigned n = 0; n < counters; n++) {
        assert(armv8_has_long_counters(pmu->features) ||
               pmu->counter[n] <= bits_low(ARMV8_NARROW_BITS));
    }
    return true;
}

unsigned armv8_el(enum ring ring)
{
    assert(ring < RING_COUNT);
    return ring == RING_USER ? 0 : 1;
}

static bool event_is_there(
    const struct armv8_features *features, unsigned number)
{
    const struct common_event *row;

    assert(number < COMMON_EVENTS);
    row = &common_events[number];
    return row->name != NULL && (row->driver == EVENT_COUNT ||
                                    bit_is_set(features->events, row->driver));
}

uint64_t armv8_common_events(const struct armv8_features *features)
{
    uint64_t events = 0;

    for (unsigned number = 0; number < COMMON_EVENTS; number++) {
        if (event_is_there(features, number)) {
            events |= bit(number);
        }
    }
    return events;
}

bool armv8_has_long_counters(const struct armv8_features *features)
{
    return features->pmu_version >= ARMV8_PMUV3P5;
}

/* After MDCR_EL2 has changed. HPMN above the number of counters stands for all
 * of them, and 0 for none; the architecture allows either of these. */
static void part_counters(struct armv8_pmu *pmu)
{
    unsigned hpmn = (unsigned)bits_get(pmu->mdcr, 0, ARMV8_MDCR_HPMN_BITS);
    unsigned all = pmu->features->counters;

    pmu->lower_count = (uint8_t)(hpmn > all ? all : hpmn);
    pmu->lower = (uint32_t)bits_low(pmu->lower_count);
    pmu->upper = (uint32_t)bits_low(all) & ~pmu->lower;
    pmu->plain = bits_get(pmu->mdcr, ARMV8_MDCR_TPMCR, 2) != 0
                     ? -1
                     : (int8_t)pmu->features->pmu_version;
}

static enum event counter_event(const struct armv8_pmu *pmu, unsigned n)
{
    unsigned number = armv8_event_number(pmu, n);

    if (n == ARMV8_CYCLES) {
        return EVENT_CORE_CYCLES;
    }
    if (number >= COMMON_EVENTS || !event_is_there(pmu->features, number)) {
        return EVENT_COUNT;
    }
    return common_events[number].driver;
}

/* Counters that PMCR_EL0.E and MDCR_EL2.HPME let run and ask for interrupts. */
static uint32_t switched_on(const struct armv8_pmu *pmu)
{
    return mask_if(
               pmu->pmcr, ARMV8_PMCR_E, pmu->lower | armv8_mask(ARMV8_CYCLES)) |
           mask_if(pmu->mdcr, ARMV8_MDCR_HPME, pmu->upper);
}

static inline bool freezes(const struct armv8_pmu *pmu)
{
    return bit_is_set(pmu->pmcr, ARMV8_PMCR_FZO) ||
           bit_is_set(pmu->mdcr, ARMV8_MDCR_HPMFZO);
}

/* Freeze on overflow (PMUv3p7): an overflow stops all event counters on its
 * side of HPMN, and with PMCR_EL0.DP the cycle counter as well. */
static uint32_t frozen(const struct armv8_pmu *pmu)
{
    uint32_t mask = 0;

    if (!freezes(pmu)) {
        return 0;
    }
    if ((pmu->overflowed & pmu->lower) != 0) {
        mask |= mask_if(pmu->pmcr, ARMV8_PMCR_FZO,
            pmu->lower |
                mask_if(pmu->pmcr, ARMV8_PMCR_DP, armv8_mask(ARMV8_CYCLES)));
    }
    if ((pmu->overflowed & pmu->upper) != 0) {
        mask |= mask_if(pmu->mdcr, ARMV8_MDCR_HPMFZO, pmu->upper);
    }
    return mask;
}

/* Counters that may not count at EL2. */
static uint32_t prohibited_at_el2(const struct armv8_pmu *pmu)
{
    uint32_t cycles = armv8_mask(ARMV8_CYCLES);

    return mask_if(pmu->mdcr, ARMV8_MDCR_HPMD,
               pmu->lower | mask_if(pmu->pmcr, ARMV8_PMCR_DP, cycles)) |
           mask_if(pmu->mdcr, ARMV8_MDCR_HCCD, cycles);
}

/* Whether the filter of a type lets events at this level through. NSK and NSU
 * say whether Non-secure code differs from what P and U say. */
static bool filter_passes(uint64_t type, unsigned el)
{
    assert(el < ARMV8_ELS);
    switch (el) {
    case 0:
        return bit_is_set(type, TYPE_U) == bit_is_set(type, TYPE_NSU);
    case 1:
        return bit_is_set(type, TYPE_P) == bit_is_set(type, TYPE_NSK);
    default:
        return bit_is_set(type, TYPE_NSH);
    }
}

static void set_bit(uint32_t *mask, unsigned n, bool on)
{
    *mask = on ? *mask | armv8_mask(n) : *mask & ~armv8_mask(n);
}

static void decode_type(struct armv8_pmu *pmu, unsigned n)
{
    enum event event = counter_event(pmu, n);

    pmu->event[n] = event;
    for (unsigned el = 0; el < ARMV8_ELS; el++) {
        set_bit(&pmu->passes[el], n, filter_passes(pmu->type[n], el));
    }
    set_bit(&pmu->in_bursts, n,
        event == EVENT_CORE_CYCLES || event == EVENT_INSTRUCTIONS);
}

void armv8_init(struct armv8_pmu *pmu, const struct armv8_features *features)
{
    assert(features_check(features));
    *pmu = (struct armv8_pmu){.features = features};
    if (features->aarch64_only) {
        pmu->pmcr = bit(ARMV8_PMCR_LC);
    }
    /* All event counters are EL1's until EL2 takes some. */
    if (features->pmu_version != ARMV8_NO_PMU) {
        pmu->mdcr = features->counters;
    }
    part_counters(pmu);
    for (unsigned n = 0; n < ARMV8_COUNTERS; n++) {
        decode_type(pmu, n);
    }
    armv8_decode(pmu);
    assert(armv8_check(pmu));
}

void armv8_set_type(struct armv8_pmu *pmu, unsigned n, uint64_t type)
{
    assert(n < ARMV8_COUNTERS);
    armv8_leave(pmu);
    pmu->type[n] = type;
    decode_type(pmu, n);
    armv8_decode(pmu);
}

/* While nothing runs at EL1, nothing happens there either (armv8_burst), so the
 * lazy ones stop where they are and go on from there. */
static void follow_running(struct armv8_pmu *pmu)
{
    uint32_t lazy = pmu->running[1] & pmu->in_bursts;

    if (pmu->running[1] == 0 || lazy == pmu->lazy) {
        return;
    }
    armv8_settle(pmu);
    pmu->lazy = lazy;
    for (uint32_t left = lazy; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);

        pmu->included[n] = armv8_happened(pmu, n);
    }
    pmu->burst.slack = 0; /* to be worked out when it is needed */
}

void armv8_run(struct armv8_pmu *pmu)
{
    uint32_t allowed = pmu->features->inert
                           ? 0
                           : pmu->enabled & switched_on(pmu) & ~frozen(pmu);

    for (unsigned el = 0; el < ARMV8_ELS; el++) {
        pmu->running[el] = allowed & pmu->passes[el];
    }
    if (pmu->running[2] != 0) {
        pmu->running[2] &= ~prohibited_at_el2(pmu);
    }
    pmu->burst.step_instructions = pmu->running[1] != 0;
    pmu->burst.step_cycles =
        pmu->running[1] != 0 ? pmu->features->access_cycles : 0;
    follow_running(pmu);
}

/* Where a counter overflows follows from the bits that are written before an
 * armv8_leave(). */
void armv8_decode(struct armv8_pmu *pmu)
{
    pmu->wide = mask_if(pmu->pmcr, ARMV8_PMCR_LP, pmu->lower) |
                mask_if(pmu->mdcr, ARMV8_MDCR_HLP, pmu->upper) |
                mask_if(pmu->pmcr, ARMV8_PMCR_LC, armv8_mask(ARMV8_CYCLES));
    armv8_run(pmu);
}

void armv8_set_mdcr(struct armv8_pmu *pmu, uint64_t mdcr)
{
    armv8_leave(pmu);
    pmu->mdcr = mdcr;
    part_counters(pmu);
    armv8_decode(pmu);
}

void armv8_leave(struct armv8_pmu *pmu)
{
    armv8_settle(pmu);
    pmu->lazy = 0;
    pmu->burst.slack = 0;
}

/* Overflow bits have other values from now on. */
static void set_overflowed(struct armv8_pmu *pmu, uint32_t overflowed)
{
    uint32_t before;

    if (!freezes(pmu)) {
        pmu->overflowed = overflowed;
        return;
    }
    before = frozen(pmu);
    pmu->overflowed = overflowed;
    if (frozen(pmu) != before) {
        armv8_run(pmu);
    }
}

void armv8_latch(struct armv8_pmu *pmu, uint32_t overflowed)
{
    assert((overflowed & (pmu->lower | pmu->upper |
                             armv8_mask(ARMV8_CYCLES))) == overflowed);
    /* Of one that counts nothing a write asked for it. */
    if (overflowed != 0 && !pmu->features->inert) {
        set_overflowed(pmu, pmu->overflowed | overflowed);
    }
}

void armv8_clear(struct armv8_pmu *pmu, uint32_t overflowed)
{
    set_overflowed(pmu, pmu->overflowed & ~overflowed);
}

bool armv8_interrupt(const struct armv8_pmu *pmu)
{
    uint32_t asking = pmu->overflowed & pmu->interrupts;

    return asking != 0 && (asking & switched_on(pmu)) != 0;
}
