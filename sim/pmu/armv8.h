/* armv8.h - the PMUv3 of one Armv8 processor: its state, which counters run,
 * what segments, events and software increments do to them, and the interrupt
 * line (pmu.md 1.7). No cost depends on how many cycles pass (pmu.md 3).
 * Registers by encoding are armv8_registers.h's business. Knows no processor
 * and no interrupt controller.
 *
 * Code runs Non-secure at EL0 and EL1; EL2 and EL3 exist, so that the filters
 * for them do, but no segment runs there [C]. */
#ifndef SIM_PMU_ARMV8_H
#define SIM_PMU_ARMV8_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/bits.h"
#include "sim/pmu/burst.h"
#include "sim/pmu/model.h"
#include "sim/pmu/segment.h"

enum {
    ARMV8_CYCLES = 31, /* the cycle counter, in masks and arrays */
    ARMV8_COUNTERS = 32,
    ARMV8_ELS = 3,          /* EL0 to EL2 */
    ARMV8_PPI = 23,         /* the interrupt's number (Arm BSA) */
    ARMV8_DIVIDER = 64,     /* cycles a tick of PMCCNTR_EL0 with PMCR_EL0.D */
    ARMV8_NARROW_BITS = 32, /* of event counters before PMUv3p5 */
};

/* ID_AA64DFR0_EL1.PMUVer. */
enum armv8_version {
    ARMV8_NO_PMU = 0,
    ARMV8_PMUV3 = 1,
    ARMV8_PMUV3P1 = 4,
    ARMV8_PMUV3P4 = 5,
    ARMV8_PMUV3P5 = 6,
    ARMV8_PMUV3P7 = 7,
};

enum armv8_event {
#define ARMV8_EVENT(name, number, event) ARMV8_EVENT_##name = (number),
#include "sim/pmu/armv8_events.def"
};

/* Bits of PMCR_EL0. */
enum armv8_pmcr {
    ARMV8_PMCR_E = 0,
    ARMV8_PMCR_P = 1,
    ARMV8_PMCR_C = 2,
    ARMV8_PMCR_D = 3,
    ARMV8_PMCR_DP = 5,
    ARMV8_PMCR_LC = 6,
    ARMV8_PMCR_LP = 7,
    ARMV8_PMCR_FZO = 9,
    ARMV8_PMCR_N = 11,
    ARMV8_PMCR_IDCODE = 16,
    ARMV8_PMCR_IMP = 24,
};

/* Bits of MDCR_EL2. */
enum armv8_mdcr {
    ARMV8_MDCR_HPMN_BITS = 5, /* from bit 0 */
    ARMV8_MDCR_TPMCR = 5,
    ARMV8_MDCR_TPM = 6,
    ARMV8_MDCR_HPME = 7,
    ARMV8_MDCR_HPMD = 17,
    ARMV8_MDCR_HCCD = 23,
    ARMV8_MDCR_HLP = 26,
    ARMV8_MDCR_HPMFZO = 29,
};

/* What a part has. */
struct armv8_features {
    uint32_t access_cycles; /* of a register */
    uint8_t counters;       /* event counters, 0..31: PMCR_EL0.N */
    uint8_t pmu_version;    /* enum armv8_version */
    uint8_t implementer;    /* PMCR_EL0.IMP */
    uint8_t id_code;        /* PMCR_EL0.IDCODE */
    uint32_t events;        /* bit by enum event: what it can count */
    bool aarch64_only;      /* PMCR_EL0.LC is always 1 and D always 0 */
    /* Event counters that are not there, or are EL2's alone, read as zero and
     * ignore writes; else an access is undefined. Either is allowed (pmu.md
     * 1.5). */
    bool missing_read_zero;
    bool inert; /* nothing is ever counted (struct pmu_model) */
};

/* What a part like this model has, whose vendor is Arm: all events that PMUv3
 * names and the simulator knows, and missing counters that are undefined. */
struct armv8_features armv8_features_of(const struct pmu_model *model);

/* Masks have bit n for event counter n and bit 31 for the cycle counter.
 *
 * Bursts of kernel code, register accesses above all, are counted lazily, as in
 * struct pmu: they add to totals, and a counter that counts them is behind by
 * the difference to what it has `included`. */
struct armv8_pmu {
    const struct armv8_features *features;
    /* What every burst looks at. */
    uint32_t running[ARMV8_ELS]; /* enabled everywhere, and counts there */
    uint32_t lazy;      /* of those that run, or ran last, at EL1, in bursts */
    struct burst burst; /* of cycles and instructions alone */
    /* PMEVCNTR<n>_EL0, PMCCNTR_EL0; read by armv8_value() */
    uint64_t counter[ARMV8_COUNTERS];
    uint64_t type[ARMV8_COUNTERS]; /* PMEVTYPER<n>_EL0, PMCCFILTR_EL0 */
    uint64_t pmcr;        /* PMCR_EL0, the bits that keep what is written */
    uint64_t mdcr;        /* MDCR_EL2 */
    uint64_t select;      /* PMSELR_EL0 */
    uint64_t user_enable; /* PMUSERENR_EL0 */
    uint32_t enabled;     /* PMCNTENSET_EL0 */
    uint32_t overflowed;  /* PMOVSSET_EL0 */
    uint32_t interrupts;  /* PMINTENSET_EL1 */
    uint8_t divided;      /* cycles of PMCR.D's 64 that have passed, 0..63 */
    /* What MDCR_EL2.HPMN makes of the event counters: those that EL0 and EL1
     * have, how many these are, and the others. */
    uint32_t lower, upper;
    uint8_t lower_count;
    /* The version of which EL1 has all registers; -1: of none, as MDCR_EL2
     * keeps EL0 and EL1 out of some. */
    int8_t plain;
    /* What armv8_set_type() makes of the types. */
    enum event event[ARMV8_COUNTERS]; /* EVENT_COUNT: no code drives it */
    uint32_t passes[ARMV8_ELS];       /* what the filters let count there */
    uint32_t in_bursts;               /* cycles or instructions */
    /* And armv8_decode() of what switches counters on, with `running`. */
    uint32_t wide; /* overflow at bit 63, not 31 */
    uint64_t included[ARMV8_COUNTERS];
};

/* Bit of one counter in a mask. */
static inline uint32_t armv8_mask(unsigned n)
{
    return (uint32_t)bit(n);
}

/* The state after reset. What the architecture leaves unknown is 0 [C]. The
 * features come from our own model table, so bad ones are a bug here. They must
 * outlive the PMU. */
void armv8_init(struct armv8_pmu *pmu, const struct armv8_features *features);

/* Whether no register holds what it cannot, nothing runs that is not enabled,
 * and counters have as many bits as they may; asserts each part. */
bool armv8_check(const struct armv8_pmu *pmu);

/* A new type of a counter, without reserved bits. */
void armv8_set_type(struct armv8_pmu *pmu, unsigned n, uint64_t type);

/* PMCR_EL0.D divides only as long as LC is 0. */
static inline bool armv8_divides(const struct armv8_pmu *pmu, unsigned n)
{
    return n == ARMV8_CYCLES && bit_is_set(pmu->pmcr, ARMV8_PMCR_D) &&
           !bit_is_set(pmu->pmcr, ARMV8_PMCR_LC);
}

/* What has happened in bursts of what a lazy counter counts. */
static inline uint64_t armv8_happened(const struct armv8_pmu *pmu, unsigned n)
{
    return pmu->burst.happened[pmu->event[n]];
}

/* What bursts have added to a counter that does not know it yet. */
static inline uint64_t armv8_behind(const struct armv8_pmu *pmu, unsigned n)
{
    return (pmu->lazy & armv8_mask(n)) == 0
               ? 0
               : armv8_happened(pmu, n) - pmu->included[n];
}

/* A counter's value, and a new one of as many bits as it has. */
static inline uint64_t armv8_value(const struct armv8_pmu *pmu, unsigned n)
{
    uint64_t count = armv8_behind(pmu, n);

    assert(n < ARMV8_COUNTERS);
    return pmu->counter[n] + (armv8_divides(pmu, n) && count > 0
                                     ? (pmu->divided + count) / ARMV8_DIVIDER
                                     : count);
}

void armv8_set_value(struct armv8_pmu *pmu, unsigned n, uint64_t value);

/* Works out what runs anew, after counters were switched on or off. */
void armv8_decode(struct armv8_pmu *pmu);

/* Nobody is behind any more: to be called before anything else changes by which
 * counters count. */
void armv8_leave(struct armv8_pmu *pmu);

/* Kernel code takes `cycles` in which `instructions` retire. Returns false when
 * a counter might overflow meanwhile; then nothing has happened. */
__attribute__((always_inline)) static inline bool armv8_burst(
    struct armv8_pmu *pmu, uint64_t cycles, uint64_t instructions)
{
    if (pmu->running[1] == 0) {
        return pmu->burst.slack > 0; /* 0: somebody is to look */
    }
    if (cycles > pmu->burst.slack || instructions > cycles) {
        return false;
    }
    pmu->burst.slack -= cycles;
    pmu->burst.happened[EVENT_CORE_CYCLES] += cycles;
    pmu->burst.happened[EVENT_INSTRUCTIONS] += instructions;
    return true;
}

/* Brings every counter up to date with the bursts, and works `slack` out. */
void armv8_settle(struct armv8_pmu *pmu);

/* The exception level at which code in this ring runs. */
unsigned armv8_el(enum ring ring);

/* Event counters that EL0 and EL1, or EL2, have: PMCR_EL0.N as seen there. */
static inline unsigned armv8_accessible(
    const struct armv8_pmu *pmu, unsigned el)
{
    assert(el < ARMV8_ELS);
    return el >= 2 ? pmu->features->counters : pmu->lower_count;
}

/* A new MDCR_EL2, without reserved bits. */
void armv8_set_mdcr(struct armv8_pmu *pmu, uint64_t mdcr);

/* Works out which counters run anew, after PMCR_EL0.E was written. */
void armv8_run(struct armv8_pmu *pmu);

/* Clears overflow bits. */
void armv8_clear(struct armv8_pmu *pmu, uint32_t overflowed);

/* Bit by number: which of the events 0..3F the part implements, as in the low
 * halves of PMCEID1_EL0 and PMCEID0_EL0. */
uint64_t armv8_common_events(const struct armv8_features *features);

/* Whether the part's event counters have 64 bits (PMUv3p5). */
bool armv8_has_long_counters(const struct armv8_features *features);

/* The number of the event that counter n is set to count. */
static inline unsigned armv8_event_number(
    const struct armv8_pmu *pmu, unsigned n)
{
    assert(n < ARMV8_COUNTERS);
    return (unsigned)bits_get(pmu->type[n], 0, 16);
}

/* Sets overflow bits, whether or not they interrupt. */
void armv8_latch(struct armv8_pmu *pmu, uint32_t overflowed);

/* Whether the interrupt is asserted. It is a level: it falls when the overflow
 * bit, its enable or the counters' enable is cleared. */
bool armv8_interrupt(const struct armv8_pmu *pmu);

/* The first position in (from, segment->cycles] at which a running counter
 * overflows; segment->cycles + 1 when none does. A chained counter overflows
 * only when the one before it does. In a halted segment nothing counts, the
 * cycle counter neither: the clock stops in WFI [C]. */
uint64_t armv8_next_overflow(
    const struct armv8_pmu *pmu, const struct segment *segment, uint64_t from);

/* Counts the cycles from `from` to `to` of the segment and latches overflow
 * bits; there is no overflow before `to`. Counters that overflow in the same
 * cycle all count it, also where that freezes them (PMCR_EL0.FZO) [C]. Returns
 * the bits of those that overflowed. */
uint32_t armv8_advance(struct armv8_pmu *pmu, const struct segment *segment,
    uint64_t from, uint64_t to);

/* `count` events, less than 2^63, at once, of code at `el`. Returns the bits of
 * the counters that overflowed. */
uint32_t armv8_add(
    struct armv8_pmu *pmu, enum event event, uint64_t count, unsigned el);

/* A software increment by code at `el` of those of these counters that count
 * SW_INCR. Returns the bits of the counters that overflowed. */
uint32_t armv8_increment(struct armv8_pmu *pmu, uint32_t counters, unsigned el);

#endif
