/* pmu.h - the performance monitoring unit of one x86 processor: counters, what
 * they count, and their overflow bits. Which register is where is intel.def's
 * and amd.def's business, interrupts are cpu.c's. */
#ifndef SIM_PMU_PMU_H
#define SIM_PMU_PMU_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/limits.h"
#include "sim/pmu/burst.h"
#include "sim/pmu/model.h"
#include "sim/pmu/pmc.h"
#include "sim/pmu/pulses.h"
#include "sim/pmu/segment.h"

/* Slots: GP counters first, then the fixed ones. */
enum {
    PMU_FIXED_SLOT = LIMIT_GP_COUNTERS,
    PMU_SLOTS = LIMIT_GP_COUNTERS + LIMIT_FIXED_COUNTERS,
};

/* Bits of the status register besides the counters' (pmu.md 1.2, 1.6). */
enum {
    STATUS_LBR_FRZ = 58,
    STATUS_CTR_FRZ = 59,
    STATUS_DS_BUFFER = 62,
};

/* What a counter counts now, decoded from its control register. */
struct pmu_source {
    enum event event; /* EVENT_COUNT: something that this model never has */
    struct pulse_filter filter;
    bool in_ring[RING_COUNT];
    bool interrupts; /* an overflow asks for a PMI */
};

/* What software has written to the registers of PEBS (pmu.md 1.2). */
struct pebs {
    uint64_t enable;   /* IA32_PEBS_ENABLE, bits as in GLOBAL_CTRL */
    uint64_t data_cfg; /* MSR_PEBS_DATA_CFG */
    uint64_t ds_area;  /* IA32_DS_AREA */
};

/* Bursts of kernel code, register accesses above all, are counted lazily: they
 * add to `happened` what happened, and a counter that counts it is behind by
 * the difference to what it has `included`. `slack` cycles of bursts can pass
 * before one of them could wrap. Segments that all of the lazy count are
 * counted so as well, as long as none is near. pmu_settle() brings all up to
 * date. */
struct pmu {
    const struct pmu_model *model;
    /* What every burst looks at. Slots, bit by slot: */
    uint32_t running; /* enabled everywhere, and countable */
    uint32_t lazy;    /* of those, or of those that ran last, in bursts */
    struct burst burst;
    uint64_t steady; /* how often the TSC ticks in each cycle, where it is the
                        one clock with a ratio that one of the lazy counts, and
                        ticks evenly; else 0 */
    bool divides;    /* one of the lazy counts another such clock */
    struct pmc counter[PMU_SLOTS]; /* read by pmu_value() */
    uint64_t most;                 /* that a counter holds */
    uint64_t latches; /* bits of the status that overflows set: none or all */
    uint64_t included[PMU_SLOTS];
    struct pmu_source source[PMU_SLOTS];
    /* Bits by slot: what their own control registers say. */
    uint32_t enabled;   /* for a ring */
    uint32_t countable; /* an event of this model, which counts at all */
    uint32_t counting[RING_COUNT]; /* there */
    uint32_t plain;                /* without a filter */
    uint32_t in_bursts;            /* in the kernel ring, without a filter */
    uint32_t filtered;             /* in the kernel ring, with one */
    uint32_t with_ratio;           /* a clock with a ratio to core cycles */
    uint32_t uneven;               /* of those: a ratio that is not whole */
    /* Bits by event: */
    uint32_t clocks; /* with a ratio, that one of the lazy counts */
    uint32_t totals; /* all that the lazy count */
    /* PEBS: */
    uint32_t sampling; /* their overflow arms them */
    uint32_t armed;    /* of the sampling: the next event is a sample */
    uint32_t sampled;  /* it has come, for pebs_take(); not armed any more */
    uint32_t lost;     /* records since RESET that had no memory to go to */
    uint64_t interrupting; /* bits, as in the status, that ask for a PMI */
    uint64_t select[LIMIT_GP_COUNTERS]; /* IA32_PERFEVTSELx */
    uint64_t fixed_ctrl;                /* IA32_FIXED_CTR_CTRL */
    uint64_t global_ctrl;               /* IA32_PERF_GLOBAL_CTRL */
    uint64_t global_status;             /* IA32_PERF_GLOBAL_STATUS */
    uint64_t debugctl;                  /* IA32_DEBUGCTL */
    struct pebs pebs;
};

/* The state after RESET. The model must outlive the PMU. One of Arm has nothing
 * of this: no counter ever runs. */
void pmu_init(struct pmu *pmu, const struct pmu_model *model);

/* Whether no register holds what it cannot, the slots that run, lag behind and
 * sample are among those that may, and no counter has too many bits; asserts
 * each part. */
bool pmu_check(const struct pmu *pmu);

/* A control register of one slot, or a global one, changes: what the counters
 * count is worked out anew. The value has no reserved bit. */
void pmu_set_select(struct pmu *pmu, unsigned n, uint64_t value);
void pmu_set_fixed_ctrl(struct pmu *pmu, uint64_t value);
void pmu_set_global_ctrl(struct pmu *pmu, uint64_t value);
void pmu_set_status(struct pmu *pmu, uint64_t value);

/* IA32_PEBS_ENABLE: the overflow of these counters arms PEBS, if their selects
 * suit it. One that is armed stays so until its next event, or until it is not
 * sampling any more; what the status holds does not matter [C]. */
void pmu_set_pebs_enable(struct pmu *pmu, uint64_t value);

/* A counter's value, and a new one, below 2^width. */
static inline uint64_t pmu_value(const struct pmu *pmu, unsigned slot);
void pmu_set_value(struct pmu *pmu, unsigned slot, uint64_t value);

/* Bits, as in GLOBAL_CTRL, of the counters that are enabled there and in their
 * own control registers, also for an event that this model never has. */
uint64_t pmu_enabled(const struct pmu *pmu);

/* Bit of this slot in GLOBAL_CTRL and GLOBAL_STATUS, which is also the HAL's
 * counter index (facts.md A27). */
unsigned pmu_bit(unsigned slot);

/* The slot of the counter with this bit, which exists on some model. */
unsigned pmu_slot(unsigned bit);

/* The bits, as in GLOBAL_CTRL, of slots. */
uint64_t pmu_bits(uint32_t slots);

/* What the n-th fixed counter counts. */
enum event pmu_fixed_event(unsigned n);

/* Kernel code takes `cycles` in which `instructions` retire, and the processor
 * has run for `unhalted` cycles before. Returns false when a counter might wrap
 * meanwhile; then nothing has happened. */
static inline bool pmu_burst(
    struct pmu *pmu, uint64_t unhalted, uint64_t cycles, uint64_t instructions);

/* Cycles of bursts in which no counter that is at most at `value` wraps. */
static inline uint64_t pmu_slack(const struct pmu *pmu, uint64_t value)
{
    return (pmu->most - value) / LIMIT_CLOCK_PER_CYCLE;
}

/* Brings every counter up to date with the bursts, and works `slack` out. */
void pmu_settle(struct pmu *pmu);

/* The first position in (from, segment->cycles] at which a running counter
 * wraps, or at which one that is armed gets an event; segment->cycles + 1 when
 * there is none. For whoever looks at nothing between: unless overflows are
 * `told`, one that only arms PEBS is no reason to stop before its sample. */
uint64_t pmu_next_stop(const struct pmu *pmu, const struct segment *segment,
    uint64_t from, bool told);

static inline uint64_t pmu_next_overflow(
    const struct pmu *pmu, const struct segment *segment, uint64_t from)
{
    return pmu_next_stop(pmu, segment, from, true);
}

/* Counts the cycles from `from` to `to` of the segment, latches overflow bits
 * and arms PEBS. An event that comes behind the overflow in the same cycle is a
 * sample, too. Returns the bits (as in GLOBAL_STATUS) of the counters that
 * wrapped. */
uint64_t pmu_advance(
    struct pmu *pmu, const struct segment *segment, uint64_t from, uint64_t to);

/* `count` times the event, at one moment, by code in `ring`. Returns the bits
 * of the counters that wrapped. */
uint64_t pmu_add(
    struct pmu *pmu, enum event event, uint64_t count, enum ring ring);

/* What a PMI request does at once: with IA32_DEBUGCTL[12] set, versions 2 and 3
 * clear every enable in GLOBAL_CTRL, later ones and AMD's PerfMonV2 set
 * STATUS.CTR_FRZ; with bit 11, those set LBR_FRZ and these clear LBR, bit 0
 * (pmu.md 1.3). */
void pmu_freeze(struct pmu *pmu);

/* Adds what the clocks with a ratio do in `cycles`. */
void pmu_burst_clocks(struct pmu *pmu, uint64_t unhalted, uint64_t cycles);

/* What bursts have added to a counter that does not know it yet. */
static inline uint64_t pmu_behind(const struct pmu *pmu, unsigned slot)
{
    return (pmu->lazy & UINT32_C(1) << slot) == 0
               ? 0
               : pmu->burst.happened[pmu->source[slot].event] -
                     pmu->included[slot];
}

static inline uint64_t pmu_value(const struct pmu *pmu, unsigned slot)
{
    assert(slot < PMU_SLOTS);
    return pmu->counter[slot].value + pmu_behind(pmu, slot);
}

static inline bool pmu_burst(
    struct pmu *pmu, uint64_t unhalted, uint64_t cycles, uint64_t instructions)
{
    if (pmu->running == 0) {
        return pmu->burst.slack > 0; /* 0: somebody is to look */
    }
    if (cycles > pmu->burst.slack || instructions > cycles) {
        return false;
    }
    pmu->burst.slack -= cycles;
    pmu->burst.happened[EVENT_CORE_CYCLES] += cycles;
    pmu->burst.happened[EVENT_INSTRUCTIONS] += instructions;
    if (pmu->divides) {
        pmu_burst_clocks(pmu, unhalted, cycles);
    } else {
        pmu->burst.happened[EVENT_TSC_CYCLES] += cycles * pmu->steady;
    }
    return true;
}

#endif
