/* pmu.c - the PMU of an x86 processor: control registers, what counts now, and
 * what bursts have counted. */
#include "sim/pmu/pmu.h"

#include <assert.h>

#include "sim/base/bits.h"

enum {
    /* IA32_PERFEVTSELx and AMD's (pmu.md 1.2, 1.6) */
    SELECT_USR = 16,
    SELECT_OS = 17,
    SELECT_EDGE = 18,
    SELECT_INT = 20,
    SELECT_ANY = 21,
    SELECT_EN = 22,
    SELECT_INV = 23,
    SELECT_CMASK = 24,
    SELECT_HIGH = 32, /* AMD: bits 11:8 of the event */
    SELECT_WHOM = 40, /* AMD: guests, and the host (pmu.md 1.6) */
    WHOM_GUESTS = 1,
    /* a field of IA32_FIXED_CTR_CTRL */
    FIXED_FIELD = 4,
    FIXED_OS = 0,
    FIXED_USR = 1,
    FIXED_ANY = 2,
    FIXED_PMI = 3,
    DEBUGCTL_LBR = 0,
    DEBUGCTL_FREEZE_LBRS_ON_PMI = 11,
    DEBUGCTL_FREEZE_PERFMON_ON_PMI = 12,
};

bool pmu_check(const struct pmu *pmu)
{
    uint32_t settled_only = pmu->filtered | pmu->armed;

    assert((pmu->global_ctrl & ~model_counters(pmu->model)) == 0);
    assert((pmu->interrupting & ~model_counters(pmu->model)) == 0);
    assert((pmu->running & ~(pmu->enabled & pmu->countable)) == 0);
    assert((pmu->lazy & ~pmu->in_bursts) == 0);
    assert((pmu->in_bursts & pmu->filtered) == 0);
    assert(pmu->model->inert || (pmu->with_ratio & ~pmu->countable) == 0);
    assert((pmu->armed & ~pmu->sampling) == 0);
    assert((pmu->armed & pmu->sampled) == 0);
    assert(pmu->burst.slack == 0 || (pmu->running & settled_only) == 0);
    for (unsigned slot = 0; slot < PMU_SLOTS; slot++) {
        assert(
            pmu->model->vendor == VENDOR_ARM || pmc_check(&pmu->counter[slot]));
    }
    return true;
}

static const enum event fixed_events[LIMIT_FIXED_COUNTERS] = {
    EVENT_INSTRUCTIONS, EVENT_CORE_CYCLES, EVENT_TSC_CYCLES, EVENT_SLOTS};

unsigned pmu_bit(unsigned slot)
{
    assert(slot < PMU_SLOTS);
    return slot < PMU_FIXED_SLOT ? slot : slot - PMU_FIXED_SLOT + 32;
}

unsigned pmu_slot(unsigned bit)
{
    unsigned slot = bit < 32 ? bit : bit - 32 + PMU_FIXED_SLOT;

    assert(slot < PMU_SLOTS);
    return slot;
}

enum event pmu_fixed_event(unsigned n)
{
    assert(n < LIMIT_FIXED_COUNTERS);
    return fixed_events[n];
}

/* Of guests alone, where there are none, AMD counts nothing. */
static struct pmu_source decode_select(
    const struct pmu_model *model, uint64_t select)
{
    unsigned event = (unsigned)bits_get(select, 0, 8);
    bool host = bits_get(select, SELECT_WHOM, 2) != WHOM_GUESTS;

    if (model->vendor == VENDOR_AMD) {
        event |= (unsigned)bits_get(select, SELECT_HIGH, 4) << 8;
    }
    return (struct pmu_source){
        .event = model_event(model, event, (unsigned)bits_get(select, 8, 8)),
        .filter = {.cmask = (uint8_t)bits_get(select, SELECT_CMASK, 8),
            .invert = bit_is_set(select, SELECT_INV),
            .edge = bit_is_set(select, SELECT_EDGE)},
        .in_ring = {[RING_KERNEL] = host && bit_is_set(select, SELECT_OS),
            [RING_USER] = host && bit_is_set(select, SELECT_USR)},
        .interrupts = bit_is_set(select, SELECT_INT),
    };
}

static struct pmu_source decode_fixed(unsigned n, uint64_t field)
{
    assert(n < LIMIT_FIXED_COUNTERS);
    return (struct pmu_source){
        .event = fixed_events[n],
        .in_ring = {[RING_KERNEL] = bit_is_set(field, FIXED_OS),
            [RING_USER] = bit_is_set(field, FIXED_USR)},
        .interrupts = bit_is_set(field, FIXED_PMI),
    };
}

/* The slots whose bits are set. */
static uint32_t slots_of(uint64_t bits)
{
    return (
        uint32_t)(bits_get(bits, 0, LIMIT_GP_COUNTERS) |
                  bits_get(bits, 32, LIMIT_FIXED_COUNTERS) << PMU_FIXED_SLOT);
}

uint64_t pmu_bits(uint32_t slots)
{
    return bits_get(slots, 0, LIMIT_GP_COUNTERS) |
           bits_get(slots, PMU_FIXED_SLOT, LIMIT_FIXED_COUNTERS) << 32;
}

/* Enabled in its own register, and since there are global ones, there as well;
 * those may be frozen (pmu.md 1.2). The ring is compared while counting. */
static uint32_t enabled_everywhere(const struct pmu *pmu)
{
    if (!model_has_global(pmu->model)) {
        return pmu->enabled;
    }
    if (bit_is_set(pmu->global_status, STATUS_CTR_FRZ)) {
        return 0;
    }
    return pmu->enabled & slots_of(pmu->global_ctrl);
}

uint64_t pmu_enabled(const struct pmu *pmu)
{
    return pmu_bits(enabled_everywhere(pmu));
}

static void set_slots(uint32_t *slots, unsigned slot, bool on)
{
    uint32_t own = UINT32_C(1) << slot;

    assert(slot < PMU_SLOTS);
    *slots = on ? *slots | own : *slots & ~own;
}

/* Whether how often it ticks in a cycle depends on how many went before. */
static bool ticks_unevenly(const struct pmu_model *model, enum event event)
{
    return (event == EVENT_TSC_CYCLES && model->tsc.q != 1) ||
           (event == EVENT_REF_CYCLES && model->ref.q != 1);
}

/* A slot counts something else from here on; the PMU is settled. */
static void set_source(
    struct pmu *pmu, unsigned slot, struct pmu_source source, bool enabled)
{
    uint64_t own = bit(pmu_bit(slot));
    bool kernel = source.in_ring[RING_KERNEL];
    bool filtered = pulse_is_filtered(source.filter);

    assert(source.event <= EVENT_COUNT);
    assert(pmu->lazy == 0); /* nobody is behind */
    pmu->source[slot] = source;
    set_slots(
        &pmu->enabled, slot, enabled && (kernel || source.in_ring[RING_USER]));
    set_slots(&pmu->countable, slot,
        source.event != EVENT_COUNT && !pmu->model->inert);
    for (unsigned ring = 0; ring < RING_COUNT; ring++) {
        set_slots(&pmu->counting[ring], slot, source.in_ring[ring]);
    }
    set_slots(&pmu->plain, slot, !filtered);
    set_slots(&pmu->in_bursts, slot, kernel && !filtered);
    set_slots(&pmu->filtered, slot, kernel && filtered);
    set_slots(&pmu->with_ratio, slot,
        source.event != EVENT_COUNT && source.event != EVENT_CORE_CYCLES &&
            event_rows[source.event].clock);
    set_slots(&pmu->uneven, slot, ticks_unevenly(pmu->model, source.event));
    pmu->interrupting =
        source.interrupts ? pmu->interrupting | own : pmu->interrupting & ~own;
}

static void step_slots(struct pmu *pmu)
{
    uint64_t cycles = pmu->running == 0 ? 0 : pmu->model->msr_cycles;

    pmu->burst.step_cycles = cycles != 0 && pmu->divides ? UINT64_MAX : cycles;
    pmu->burst.step_instructions = pmu->running != 0;
    pmu->burst.step_ticks = cycles * pmu->steady;
}

/* What runs now. While nothing does, nothing happens either (pmu_burst), so the
 * lazy ones stop where they are and go on from there. */
static void run_slots(struct pmu *pmu)
{
    uint32_t lazy;

    pmu->running = enabled_everywhere(pmu) & pmu->countable;
    step_slots(pmu);
    lazy = pmu->running & pmu->in_bursts;
    if ((pmu->running & (pmu->filtered | pmu->armed)) != 0) {
        pmu->burst.slack = 0;
    }
    if (pmu->running == 0 || lazy == pmu->lazy) {
        return;
    }
    pmu_settle(pmu);
    pmu->lazy = lazy;
    pmu->clocks = 0;
    pmu->totals = 0;
    for (uint32_t left = pmu->lazy; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);

        pmu->totals |= UINT32_C(1) << pmu->source[slot].event;
        pmu->clocks |= (pmu->with_ratio >> slot & 1) << pmu->source[slot].event;

        pmu->included[slot] = pmu->burst.happened[pmu->source[slot].event];
    }
    pmu->steady = pmu->clocks == bit(EVENT_TSC_CYCLES) && pmu->model->tsc.q == 1
                      ? pmu->model->tsc.p
                      : 0;
    pmu->divides = pmu->clocks != 0 && pmu->steady == 0;
    step_slots(pmu);
    pmu->burst.slack = 0; /* to be worked out when it is needed */
}

/* What is counted is about to change: nobody is behind. */
static void leave_slots(struct pmu *pmu)
{
    pmu_settle(pmu);
    pmu->lazy = 0;
    pmu->burst.slack = 0;
}

void pmu_init(struct pmu *pmu, const struct pmu_model *model)
{
    assert(model->general <= LIMIT_EVENT_COUNTERS);
    *pmu = (struct pmu){.model = model,
        .most = bits_low(model->width),
        .latches = model_has_global(model) ? UINT64_MAX : 0};
    if (model->vendor == VENDOR_ARM) {
        return; /* no counter and no register: the PMU is an Armv8 one */
    }
    for (unsigned slot = 0; slot < PMU_SLOTS; slot++) {
        pmc_init(&pmu->counter[slot], (uint8_t)model->width);
        pmu->source[slot].event = EVENT_COUNT;
    }
    /* RESET enables the GP counters (pmu.md 1.2). */
    pmu->global_ctrl = model_has_global(model) ? bits_low(model->general) : 0;
    run_slots(pmu);
    assert(pmu_check(pmu));
}

/* PEBS needs AnyThread, EDGE, INV and CMASK all 0 (pmu.md 1.2). The overflow of
 * a counter that has them otherwise is an ordinary one [C]. */
static bool suits_pebs(const struct pmu *pmu, unsigned slot)
{
    if (slot < PMU_FIXED_SLOT) {
        return (pmu->select[slot] &
                   (bit(SELECT_ANY) | bit(SELECT_EDGE) | bit(SELECT_INV) |
                       bits_low(8) << SELECT_CMASK)) == 0;
    }
    return !bit_is_set(
        pmu->fixed_ctrl, FIXED_FIELD * (slot - PMU_FIXED_SLOT) + FIXED_ANY);
}

static void sample_slots(struct pmu *pmu)
{
    pmu->sampling = 0;
    for (uint32_t left = slots_of(pmu->pebs.enable); left != 0;
         left &= left - 1) {
        set_slots(&pmu->sampling, bits_lowest(left),
            suits_pebs(pmu, bits_lowest(left)));
    }
    pmu->armed &= pmu->sampling;
    assert(pmu->sampling == 0 || pmu->model->pebs);
}

void pmu_set_pebs_enable(struct pmu *pmu, uint64_t value)
{
    assert((value & ~model_counters(pmu->model)) == 0);
    pmu->pebs.enable = value;
    sample_slots(pmu);
    pmu_settle(pmu);
    assert(pmu_check(pmu));
}

void pmu_set_select(struct pmu *pmu, unsigned n, uint64_t value)
{
    assert(n < pmu->model->general);
    leave_slots(pmu);
    pmu->select[n] = value;
    if (pmu->pebs.enable != 0) {
        sample_slots(pmu);
    }
    set_source(
        pmu, n, decode_select(pmu->model, value), bit_is_set(value, SELECT_EN));
    run_slots(pmu);
}

void pmu_set_fixed_ctrl(struct pmu *pmu, uint64_t value)
{
    leave_slots(pmu);
    pmu->fixed_ctrl = value;
    if (pmu->pebs.enable != 0) {
        sample_slots(pmu);
    }
    for (unsigned n = 0; n < LIMIT_FIXED_COUNTERS; n++) {
        set_source(pmu, PMU_FIXED_SLOT + n,
            decode_fixed(n, bits_get(value, FIXED_FIELD * n, FIXED_FIELD)),
            true);
    }
    run_slots(pmu);
}

void pmu_set_global_ctrl(struct pmu *pmu, uint64_t value)
{
    pmu->global_ctrl = value;
    run_slots(pmu);
}

void pmu_set_status(struct pmu *pmu, uint64_t value)
{
    uint64_t status = pmu->model->inert ? 0 : value;
    bool freezes = bit_is_set(pmu->global_status ^ status, STATUS_CTR_FRZ);

    pmu->global_status = status;
    if (freezes) {
        run_slots(pmu);
    }
}

void pmu_freeze(struct pmu *pmu)
{
    bool counters = bit_is_set(pmu->debugctl, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    bool branches = bit_is_set(pmu->debugctl, DEBUGCTL_FREEZE_LBRS_ON_PMI);

    if ((!counters && !branches) || !model_has_global(pmu->model)) {
        return;
    }
    if (pmu->model->vendor == VENDOR_AMD || pmu->model->version >= 4) {
        pmu_set_status(pmu, pmu->global_status |
                                (counters ? bit(STATUS_CTR_FRZ) : 0) |
                                (branches ? bit(STATUS_LBR_FRZ) : 0));
        return;
    }
    if (counters) {
        pmu_set_global_ctrl(pmu, 0);
    }
    if (branches) {
        pmu->debugctl &= ~bit(DEBUGCTL_LBR);
    }
}

void pmu_set_value(struct pmu *pmu, unsigned slot, uint64_t value)
{
    assert(slot < PMU_SLOTS);
    assert(value <= pmu->most);
    pmu->counter[slot].value = pmu->model->inert ? 0 : value;
    if ((pmu->lazy & UINT32_C(1) << slot) != 0) {
        uint64_t slack = pmu_slack(pmu, value);

        pmu->included[slot] = pmu->burst.happened[pmu->source[slot].event];
        pmu->burst.slack = slack < pmu->burst.slack ? slack : pmu->burst.slack;
    }
}

/* No burst lets a counter wrap. */
void pmu_settle(struct pmu *pmu)
{
    uint64_t highest = 0;

    for (uint32_t left = pmu->lazy; left != 0; left &= left - 1) {
        unsigned slot = bits_lowest(left);
        uint64_t happened = pmu->burst.happened[pmu->source[slot].event];
        uint64_t value =
            pmu->counter[slot].value + (happened - pmu->included[slot]);

        assert(value <= pmu->most);
        pmu->counter[slot].value = value;
        pmu->included[slot] = happened;
        highest = value > highest ? value : highest;
    }
    if ((pmu->running & (pmu->filtered | pmu->armed)) != 0) {
        /* Pulses are no function of what happened, and the next event of an
         * armed counter is to be included at its cycle. */
        pmu->burst.slack = 0;
    } else {
        pmu->burst.slack =
            pmu->lazy == 0 ? UINT64_MAX : pmu_slack(pmu, highest);
    }
}

static uint64_t clock_events(
    const struct rate *rate, uint64_t unhalted, uint64_t cycles)
{
    return rate->q == 1 ? rate->p * cycles
                        : rate_events(rate, unhalted + cycles) -
                              rate_events(rate, unhalted);
}

void pmu_burst_clocks(struct pmu *pmu, uint64_t unhalted, uint64_t cycles)
{
    const struct pmu_model *model = pmu->model;

    if (bit_is_set(pmu->clocks, EVENT_TSC_CYCLES)) {
        pmu->burst.happened[EVENT_TSC_CYCLES] +=
            clock_events(&model->tsc, unhalted, cycles);
    }
    if (bit_is_set(pmu->clocks, EVENT_REF_CYCLES)) {
        pmu->burst.happened[EVENT_REF_CYCLES] +=
            clock_events(&model->ref, unhalted, cycles);
    }
    pmu->burst.happened[EVENT_SLOTS] += cycles * model->slots;
}
