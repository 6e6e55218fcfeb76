/* naive_pmu.h - a PMU, its local APIC entry and its clock, done the slow way:
 * a loop over cycles, one event at a time, plain arrays of registers.
 *
 * It is what test_pmu_differential.c holds sim/ against, so it is written from
 * the documents (pmu.md, docs/fidelity.md) and shares nothing with sim/. LBR
 * and interrupts of other processors are left out. */
#ifndef TESTS_SIM_PMU_NAIVE_PMU_H
#define TESTS_SIM_PMU_NAIVE_PMU_H

#include <stdbool.h>
#include <stdint.h>

/* What happens in a cycle. The clocks run with the core, the others as the
 * code that runs says. */
enum naive_event {
    NAIVE_INSTRUCTIONS,
    NAIVE_LLC_REFERENCES,
    NAIVE_LLC_MISSES,
    NAIVE_BRANCHES,
    NAIVE_BRANCH_MISSES,
    NAIVE_CODE_EVENTS, /* so many */
    NAIVE_CORE_CYCLES = NAIVE_CODE_EVENTS,
    NAIVE_REF_CYCLES, /* 3CH,01H */
    NAIVE_TSC_CYCLES, /* fixed counter 2 */
    NAIVE_SLOTS,
    NAIVE_EVENTS,
};

enum naive_vendor { NAIVE_INTEL, NAIVE_AMD };

/* p events in q cycles; before the first cycle, `phase` parts of q have come
 * together for the first event. */
struct naive_rate {
    uint64_t p, q, phase;
};

struct naive_model {
    enum naive_vendor vendor;
    /* CPUID.0AH; AMD: 1 K7, 2 core extension, 3 PerfMonV2. */
    unsigned version;
    unsigned events;      /* Intel: those there, a bit as in CPUID.0AH EBX */
    unsigned general;     /* GP counters */
    uint64_t fixed;       /* bit i: fixed counter i exists */
    unsigned width;       /* bits of each counter */
    bool full_width;      /* IA32_A_PMCn; PERF_CAPABILITIES[13] */
    bool any_thread;      /* EVTSEL[21] and bit 2 of the fixed fields */
    uint64_t status_more; /* bits of STATUS that are not a counter's */
    uint64_t status_set;  /* those that STATUS_SET can set */
    uint64_t debugctl;    /* bits of DEBUGCTL that can be written */
    bool pebs;
    unsigned pebs_format;       /* 4: the baseline, with adaptive records */
    uint64_t ds_area;           /* where a block of NAIVE_MEMORY bytes lies */
    uint64_t access_cycles;     /* of RDMSR, WRMSR, RDPMC */
    uint64_t latency_cycles;    /* from an overflow to its PMI request */
    uint64_t skid_cycles;       /* from there until it can be taken */
    unsigned slots;             /* per core cycle */
    struct naive_rate ref, tsc; /* per core cycle */
};

enum {
    NAIVE_GENERAL_MAX = 8,
    NAIVE_FIXED_MAX = 16,
    NAIVE_MEMORY = 4096, /* all memory that PEBS can write to */
};

#define NAIVE_NEVER UINT64_MAX

struct naive_pmu {
    struct naive_model model;
    uint64_t time;
    uint64_t general[NAIVE_GENERAL_MAX], select[NAIVE_GENERAL_MAX];
    uint64_t fixed[NAIVE_FIXED_MAX], fixed_ctrl;
    uint64_t global_ctrl, status, debugctl;
    uint64_t request_at; /* when the PMI request arrives; NAIVE_NEVER: none */
    uint64_t pends_at;   /* when one that LVTPC accepted can be taken */
    unsigned pends_vector;
    uint64_t clock_parts[NAIVE_EVENTS]; /* of a clock's next event */
    unsigned clock_last[NAIVE_EVENTS];  /* its events in the last core cycle */
    uint64_t lvtpc, task_priority;
    bool requested[256], in_service[256];
    bool nmi_pending, nmi_blocked, interrupts_off;
    uint64_t pebs_enable, data_cfg, ds_area;
    uint64_t armed;   /* bits of STATUS: their next event is a sample */
    uint64_t sampled; /* which has come */
    uint8_t *memory;  /* NAIVE_MEMORY bytes at model.ds_area */
    void (*interrupt)(void *context, unsigned vector);
    void *interrupt_context;
};

/* Code that runs: for how long, where, and what happens meanwhile. */
struct naive_segment {
    uint64_t cycles;
    bool user;   /* ring 3 */
    bool halted; /* time passes, nothing runs or counts */
    struct naive_rate rate[NAIVE_CODE_EVENTS];
};

/* The state after RESET. `memory` is NULL where there is no PEBS. `interrupt`
 * is called with each vector that is taken, with EFLAGS.IF clear; when it
 * returns, that is IRET. */
void naive_init(struct naive_pmu *pmu, const struct naive_model *model,
    uint8_t *memory, void (*interrupt)(void *context, unsigned vector),
    void *context);

/* Runs the segment, with requests and interrupts at their cycles. */
void naive_run(struct naive_pmu *pmu, const struct naive_segment *segment);

/* `count` times the event, at one moment, by code in either ring. */
void naive_add(
    struct naive_pmu *pmu, enum naive_event event, unsigned count, bool user);

/* Halts until no interrupt can come any more. */
void naive_settle(struct naive_pmu *pmu);

/* Takes what is pending and allowed: the highest vector first. */
void naive_checkpoint(struct naive_pmu *pmu);

/* RDMSR, WRMSR and RDPMC: they cost access_cycles in ring 0 and retire one
 * instruction, take effect, and then interrupts are taken. False: #GP. */
bool naive_read(struct naive_pmu *pmu, uint32_t address, uint64_t *value);
bool naive_write(struct naive_pmu *pmu, uint32_t address, uint64_t value);
bool naive_rdpmc(struct naive_pmu *pmu, uint32_t selector, bool user, bool pce,
    uint64_t *value);

/* The three without cost: naive_registers.c has them for naive_pmu.c, and a
 * test may look at a register without any effect. */
bool naive_peek(const struct naive_pmu *pmu, uint32_t address, uint64_t *value);
bool naive_poke(struct naive_pmu *pmu, uint32_t address, uint64_t value);
bool naive_peek_counter(const struct naive_pmu *pmu, uint32_t selector,
    bool user, bool pce, uint64_t *value);

/* naive_count.c: which event GP counter i and fixed counter i count;
 * NAIVE_EVENTS: none that happens here. */
enum naive_event naive_general_event(const struct naive_pmu *pmu, unsigned i);
enum naive_event naive_fixed_event(const struct naive_pmu *pmu, unsigned i);

/* naive_count.c: what a counter adds in a cycle of a ring with `now` events.
 * `before` are those of the cycle before, for EDGE; NULL: there was none. */
unsigned naive_general_pulses(const struct naive_pmu *pmu, unsigned i,
    bool user, const unsigned now[NAIVE_EVENTS], const unsigned *before);
unsigned naive_fixed_pulses(const struct naive_pmu *pmu, unsigned i, bool user,
    const unsigned now[NAIVE_EVENTS]);

/* naive_pebs.c: the counters whose overflow arms them; and what samples do when
 * their cycle is over, which may ask for an interrupt. */
uint64_t naive_pebs_sampling(const struct naive_pmu *pmu);
bool naive_pebs_take(struct naive_pmu *pmu);

/* Whether the model has IA32_PERF_GLOBAL_CTRL and _STATUS or AMD's. */
bool naive_has_global(const struct naive_model *model);

#endif
