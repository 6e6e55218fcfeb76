/* naive_pmu.c - time, counting, overflow, the request and the interrupt. */
#include "tests/sim/pmu/naive_pmu.h"

#include <assert.h>
#include <string.h>

enum { NMI = 2 };

#define MASKED (UINT64_C(1) << 16)  /* LVTPC */
#define LBR_FRZ (UINT64_C(1) << 58) /* STATUS */
#define CTR_FRZ (UINT64_C(1) << 59)
#define FIXED_BIT(i) (32 + (i)) /* of STATUS and GLOBAL_CTRL */

static bool is_set(uint64_t value, unsigned bit)
{
    return (value >> bit & 1) != 0;
}

bool naive_has_global(const struct naive_model *model)
{
    return model->version >= (model->vendor == NAIVE_AMD ? 3 : 2);
}

void naive_init(struct naive_pmu *pmu, const struct naive_model *model,
    uint8_t *memory, void (*interrupt)(void *context, unsigned vector),
    void *context)
{
    memset(pmu, 0, sizeof(*pmu));
    pmu->model = *model;
    pmu->memory = memory;
    pmu->request_at = NAIVE_NEVER;
    pmu->pends_at = NAIVE_NEVER;
    pmu->lvtpc = MASKED;
    pmu->interrupt = interrupt;
    pmu->interrupt_context = context;
    for (unsigned i = 0; i < model->general; i++) {
        pmu->global_ctrl |= UINT64_C(1) << i; /* pmu.md 1.2 */
    }
}

/* Code in its course. After an interrupt in its middle it goes on where it
 * was; the clocks have run on meanwhile. */
struct stretch {
    const struct naive_segment *code;
    uint64_t parts[NAIVE_CODE_EVENTS]; /* of the next event */
    unsigned last[NAIVE_EVENTS];       /* events of its last cycle */
    bool begun;                        /* there was a last cycle */
};

static void stretch_begin(
    struct stretch *stretch, const struct naive_segment *code)
{
    memset(stretch, 0, sizeof(*stretch));
    stretch->code = code;
    for (unsigned e = 0; e < NAIVE_CODE_EVENTS; e++) {
        stretch->parts[e] = code->rate[e].phase;
    }
}

/* The events of one cycle: p more parts, and q of them are an event. */
static unsigned happen(uint64_t *parts, uint64_t p, uint64_t q)
{
    unsigned events = 0;

    *parts += p;
    while (*parts >= q) {
        *parts -= q;
        events++;
    }
    return events;
}

static void happen_all(struct naive_pmu *pmu, struct stretch *stretch,
    unsigned events[NAIVE_EVENTS])
{
    for (unsigned e = 0; e < NAIVE_CODE_EVENTS; e++) {
        const struct naive_rate *rate = &stretch->code->rate[e];

        events[e] = happen(&stretch->parts[e], rate->p, rate->q);
    }
    events[NAIVE_CORE_CYCLES] = 1;
    events[NAIVE_SLOTS] = pmu->model.slots;
    events[NAIVE_REF_CYCLES] = happen(&pmu->clock_parts[NAIVE_REF_CYCLES],
        pmu->model.ref.p, pmu->model.ref.q);
    events[NAIVE_TSC_CYCLES] = happen(&pmu->clock_parts[NAIVE_TSC_CYCLES],
        pmu->model.tsc.p, pmu->model.tsc.q);
}

/* What EDGE will look at in the next cycle. */
static void remember(struct naive_pmu *pmu, struct stretch *stretch,
    const unsigned events[NAIVE_EVENTS])
{
    memcpy(stretch->last, events, sizeof(stretch->last));
    memcpy(pmu->clock_last, events, sizeof(pmu->clock_last));
    stretch->begun = true;
}

static void ask(struct naive_pmu *pmu)
{
    if (pmu->request_at == NAIVE_NEVER) {
        pmu->request_at = pmu->time + pmu->model.latency_cycles;
    }
}

/* One event more, which may be the overflow, or the sample behind one. */
static void count_one(
    struct naive_pmu *pmu, uint64_t *counter, unsigned bit, bool interrupts)
{
    uint64_t own = UINT64_C(1) << bit;

    pmu->sampled |= pmu->armed & own;
    pmu->armed &= ~own;
    *counter += 1;
    if (*counter >> pmu->model.width == 0) {
        return;
    }
    *counter = 0;
    if (naive_has_global(&pmu->model)) {
        pmu->status |= own;
    }
    pmu->armed |= naive_pebs_sampling(pmu) & own & ~pmu->sampled;
    if (interrupts) {
        ask(pmu);
    }
}

static void take_samples(struct naive_pmu *pmu)
{
    if (naive_pebs_take(pmu)) {
        ask(pmu);
    }
}

static void add_general(struct naive_pmu *pmu, unsigned i, unsigned pulses)
{
    for (; pulses > 0; pulses--) {
        count_one(pmu, &pmu->general[i], i, is_set(pmu->select[i], 20));
    }
}

static void add_fixed(struct naive_pmu *pmu, unsigned i, unsigned pulses)
{
    for (; pulses > 0; pulses--) {
        count_one(
            pmu, &pmu->fixed[i], 32 + i, is_set(pmu->fixed_ctrl, 4 * i + 3));
    }
}

static void count(struct naive_pmu *pmu, const struct stretch *stretch,
    const unsigned events[NAIVE_EVENTS])
{
    bool user = stretch->code->user;
    unsigned before[NAIVE_EVENTS];

    memcpy(before, stretch->last, sizeof(before));
    for (unsigned e = NAIVE_CODE_EVENTS; e < NAIVE_EVENTS; e++) {
        before[e] = pmu->clock_last[e];
    }
    for (unsigned i = 0; i < pmu->model.general; i++) {
        add_general(pmu, i,
            naive_general_pulses(
                pmu, i, user, events, stretch->begun ? before : NULL));
    }
    for (unsigned i = 0; pmu->model.fixed >> i != 0; i++) {
        add_fixed(pmu, i, naive_fixed_pulses(pmu, i, user, events));
    }
}

/* What LVTPC accepts can be taken `skid` later; until then, further ones are
 * the same interrupt (docs/fidelity.md). */
static void accept(struct naive_pmu *pmu, unsigned vector)
{
    if (pmu->pends_at == NAIVE_NEVER) {
        pmu->pends_at = pmu->time + pmu->model.skid_cycles;
        pmu->pends_vector = vector;
    }
    if (pmu->model.vendor == NAIVE_INTEL) {
        pmu->lvtpc |= MASKED; /* pmu.md 1.3 */
    }
}

/* Through LVTPC: masked drops it; fixed vectors below 16 and other delivery
 * modes are lost (docs/fidelity.md). */
static void request_interrupt(struct naive_pmu *pmu)
{
    unsigned vector = pmu->lvtpc & 0xFF;
    unsigned mode = pmu->lvtpc >> 8 & 7;

    if ((pmu->lvtpc & MASKED) != 0) {
        return;
    }
    if (mode == 4) {
        accept(pmu, NMI);
    } else if (mode == 0 && vector >= 16) {
        accept(pmu, vector);
    }
}

/* Version 4 and AMD's PerfMonV2 have a status bit that stops the counters;
 * versions 2 and 3 lose their enables (pmu.md 1.3, 1.6). */
static void freeze(struct naive_pmu *pmu)
{
    bool has_bits = pmu->model.vendor == NAIVE_AMD || pmu->model.version >= 4;

    if (is_set(pmu->debugctl, 11) && has_bits) {
        pmu->status |= LBR_FRZ;
    }
    if (is_set(pmu->debugctl, 12) && has_bits) {
        pmu->status |= CTR_FRZ;
    }
    if (is_set(pmu->debugctl, 12) && !has_bits) {
        pmu->global_ctrl = 0;
    }
    if (is_set(pmu->debugctl, 11) && !has_bits) {
        pmu->debugctl &= ~UINT64_C(1);
    }
}

static void pend_when_due(struct naive_pmu *pmu)
{
    if (pmu->pends_at > pmu->time) {
        return;
    }
    pmu->pends_at = NAIVE_NEVER;
    if (pmu->pends_vector == NMI) {
        pmu->nmi_pending = true;
    } else {
        pmu->requested[pmu->pends_vector] = true;
    }
}

/* The request freezes, and goes to the APIC. */
static void raise_when_due(struct naive_pmu *pmu)
{
    pend_when_due(pmu);
    if (pmu->request_at <= pmu->time) {
        pmu->request_at = NAIVE_NEVER;
        freeze(pmu);
        request_interrupt(pmu);
        pend_when_due(pmu); /* when there is no skid */
    }
}

/* One cycle passes, and at its end an overflow's request may arrive. */
static void cycle(struct naive_pmu *pmu, struct stretch *stretch)
{
    unsigned events[NAIVE_EVENTS];

    pmu->time++;
    if (!stretch->code->halted) {
        happen_all(pmu, stretch, events);
        count(pmu, stretch, events);
        remember(pmu, stretch, events);
        take_samples(pmu);
    }
    raise_when_due(pmu);
}

/* The vector to take now; -1 when none is pending and allowed. */
static int next_vector(const struct naive_pmu *pmu)
{
    int served = 0;

    if (pmu->nmi_pending && !pmu->nmi_blocked) {
        return NMI;
    }
    if (memchr(pmu->requested, true, sizeof(pmu->requested)) == NULL) {
        return -1;
    }
    for (int v = 0; v < 256; v++) {
        served = pmu->in_service[v] ? v / 16 : served;
    }
    for (int v = 255; v >= 16; v--) {
        if (pmu->requested[v]) {
            return !pmu->interrupts_off && v / 16 > served &&
                           (uint64_t)v / 16 > pmu->task_priority / 16
                       ? v
                       : -1;
        }
    }
    return -1;
}

static void take(struct naive_pmu *pmu, unsigned vector)
{
    bool off = pmu->interrupts_off;

    if (vector == NMI) {
        pmu->nmi_pending = false;
        pmu->nmi_blocked = true;
    } else {
        pmu->requested[vector] = false;
        pmu->in_service[vector] = true;
    }
    pmu->interrupts_off = true;
    pmu->interrupt(pmu->interrupt_context, vector);
    pmu->interrupts_off = off;
    if (vector == NMI) {
        pmu->nmi_blocked = false;
    }
}

void naive_checkpoint(struct naive_pmu *pmu)
{
    int vector;

    while ((vector = next_vector(pmu)) >= 0) {
        take(pmu, (unsigned)vector);
    }
}

void naive_run(struct naive_pmu *pmu, const struct naive_segment *segment)
{
    struct stretch stretch;

    stretch_begin(&stretch, segment);
    for (uint64_t i = 0; i < segment->cycles; i++) {
        cycle(pmu, &stretch);
        naive_checkpoint(pmu);
    }
}

/* As one cycle of its own for the counters of this event alone. */
void naive_add(
    struct naive_pmu *pmu, enum naive_event event, unsigned count, bool user)
{
    unsigned events[NAIVE_EVENTS] = {0};

    events[event] = count;
    for (unsigned i = 0; i < pmu->model.general; i++) {
        if (naive_general_event(pmu, i) == event) {
            add_general(
                pmu, i, naive_general_pulses(pmu, i, user, events, NULL));
        }
    }
    for (unsigned i = 0; pmu->model.fixed >> i != 0; i++) {
        add_fixed(pmu, i, naive_fixed_pulses(pmu, i, user, events));
    }
    take_samples(pmu);
    raise_when_due(pmu);
    naive_checkpoint(pmu);
}

void naive_settle(struct naive_pmu *pmu)
{
    naive_checkpoint(pmu);
    while (pmu->request_at != NAIVE_NEVER || pmu->pends_at != NAIVE_NEVER) {
        pmu->time++;
        raise_when_due(pmu);
        naive_checkpoint(pmu);
    }
}

/* The instruction's cycles, in ring 0; it retires in the last one, if it does
 * not fault. Interrupts wait for what follows. */
static void pay(struct naive_pmu *pmu, bool retires)
{
    struct naive_segment code = {.cycles = pmu->model.access_cycles};
    struct stretch stretch;

    for (unsigned e = 0; e < NAIVE_CODE_EVENTS; e++) {
        code.rate[e].q = 1;
    }
    code.rate[NAIVE_INSTRUCTIONS].p = retires;
    code.rate[NAIVE_INSTRUCTIONS].q = code.cycles;
    stretch_begin(&stretch, &code);
    for (uint64_t i = 0; i < code.cycles; i++) {
        cycle(pmu, &stretch);
    }
}

bool naive_read(struct naive_pmu *pmu, uint32_t address, uint64_t *value)
{
    uint64_t now;
    bool ok;

    pay(pmu, naive_peek(pmu, address, &now));
    ok = naive_peek(pmu, address, value);
    naive_checkpoint(pmu);
    return ok;
}

bool naive_write(struct naive_pmu *pmu, uint32_t address, uint64_t value)
{
    struct naive_pmu tried = *pmu;
    bool ok;

    pay(pmu, naive_poke(&tried, address, value));
    ok = naive_poke(pmu, address, value);
    naive_checkpoint(pmu);
    return ok;
}

bool naive_rdpmc(struct naive_pmu *pmu, uint32_t selector, bool user, bool pce,
    uint64_t *value)
{
    uint64_t now;
    bool ok;

    pay(pmu, naive_peek_counter(pmu, selector, user, pce, &now));
    ok = naive_peek_counter(pmu, selector, user, pce, value);
    naive_checkpoint(pmu);
    return ok;
}
