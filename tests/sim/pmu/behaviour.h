/* behaviour.h - the x86 models that the twenty behaviours of pmu.md 2 are
 * tested on, and where each of them has its registers. */
#ifndef TESTS_SIM_PMU_BEHAVIOUR_H
#define TESTS_SIM_PMU_BEHAVIOUR_H

#include "tests/sim/machine/single_cpu.h"

/* Sets of models, bit by enum model. */
enum {
    NO_PMU = 1 << MODEL_NONE,
    V1 = 1 << MODEL_INTEL_V1,
    V2 = 1 << MODEL_INTEL_V2,
    V3 = 1 << MODEL_INTEL_V3,
    V4 = 1 << MODEL_INTEL_V4,
    V5 = 1 << MODEL_INTEL_V5,
    NEHALEM = 1 << MODEL_NEHALEM,
    SKYLAKE = 1 << MODEL_SKYLAKE,
    ICE_LAKE = 1 << MODEL_ICE_LAKE,
    SAPPHIRE = 1 << MODEL_SAPPHIRE_RAPIDS,
    K8 = 1 << MODEL_K8,
    ZEN2 = 1 << MODEL_ZEN2,
    ZEN4 = 1 << MODEL_ZEN4,

    INTEL_V2_V3 = V2 | V3 | NEHALEM,
    INTEL_V4_V5 = V4 | V5 | SKYLAKE | ICE_LAKE | SAPPHIRE,
    INTEL_GLOBAL = INTEL_V2_V3 | INTEL_V4_V5,
    INTEL = V1 | INTEL_GLOBAL,
    AMD = K8 | ZEN2 | ZEN4,
    GLOBAL = INTEL_GLOBAL | ZEN4, /* enables for all counters, and a status */
    PLAIN = V1 | K8 | ZEN2,       /* neither */
    PEBS = NEHALEM | SKYLAKE | ICE_LAKE | SAPPHIRE,
    X86 = INTEL | AMD,
};

/* Of an event select, on either vendor's. */
enum {
    OS = 0x420000,  /* EN and OS */
    USR = 0x410000, /* EN and USR */
    INT = 0x100000,
    EDGE = 0x040000,
    INV = 0x800000,
    CMASK_1 = 0x1000000,
    CMASK_2 = 0x2000000,
    CMASK_3 = 0x3000000,
    CMASK_4 = 0x4000000,
    INSTRUCTIONS = 0xC0, /* the event on both */
};

/* What is written to have a counter overflow after so many events. IA32_PMCn
 * takes the low 32 bits of it and extends their sign to its own width. */
#define AFTER_1000_EVENTS 0xFFFFFFFFFC18

/* One model; a register that it lacks has address 0. */
struct part {
    enum model model;
    uint32_t select, counter, step; /* of counter 0, and on to the next */
    uint32_t global_ctrl, status, status_clear, status_set;
    uint64_t cycles, branches, branch_misses; /* event and umask */
    uint64_t last, round; /* the highest value, and how many there are */
    uint64_t want_reset;  /* GLOBAL_CTRL after RESET */
    uint64_t record;      /* bytes of a PEBS record, adaptive ones off */
};

/* One named test: a behaviour on a part. */
struct behaviour_case {
    char name[112];
    const struct part *part;
    const void *row; /* of a table of the behaviour's own */
};

static inline const struct part *part_of(void **state)
{
    return ((const struct behaviour_case *)*state)->part;
}

/* LVTPC is open, vector FEH: the first 100 cycles, in the kernel. */
static inline void part_init(struct single_cpu *one, const struct part *part)
{
    single_cpu_init_model(one, &pmu_models[part->model]);
    single_cpu_write(one, IA32_X2APIC_LVT_PMI, 0xFE);
}

static inline uint32_t part_counter(const struct part *part, unsigned n)
{
    return part->counter + n * part->step;
}

static inline uint32_t part_select(const struct part *part, unsigned n)
{
    return part->select + n * part->step;
}

static inline uint64_t part_value(
    const struct single_cpu *one, const struct part *part, unsigned n)
{
    return single_cpu_peek(one, part_counter(part, n));
}

/* Loads counter n, then starts it: two WRMSRs, 200 cycles. */
static inline void part_start(struct single_cpu *one, const struct part *part,
    unsigned n, uint64_t select, uint64_t preset)
{
    single_cpu_write(one, part_counter(part, n), preset);
    single_cpu_write(one, part_select(part, n), select);
}

/* User code with an instruction a cycle. */
static inline void part_run(struct single_cpu *one, uint64_t cycles)
{
    single_cpu_run(one, RING_USER, cycles, 1, 1);
}

/* behaviour_count.c */
void not_enabled_globally_does_not_move(void **state);
void global_ctrl_after_reset(void **state);
void stopped_by_its_select_holds_its_value(void **state);
void stopped_globally_holds_its_value(void **state);
void ring_filters(void **state);
void edge_inv_and_cmask_count_exactly(void **state);
void widths_of_32_40_48_and_57_bits(void **state);
void width_of_48_bits(void **state);
void preset_of_0_overflows_after_a_round(void **state);
void accesses_retire_one_instruction_each(void **state);
void global_ctrl_counts_the_write_that_stops(void **state);
void preset_of_1_minus_k_reads_1(void **state);

/* behaviour_pmi.c */
void second_pmi_waits_for_lvtpc(void **state);
void second_pmi_does_not_wait_for_lvtpc(void **state);
void overflow_that_nothing_touches_interrupts(void **state);
void two_overflows_of_one_cycle_are_one_pmi(void **state);
void two_overflows_within_the_latency_are_one_pmi(void **state);
void two_overflows_before_the_handler(void **state);
void freeze_clears_the_enables(void **state);
void freeze_sets_a_status_bit(void **state);
void nothing_freezes_without_global_registers(void **state);
void pmi_stays_latched_after_status_is_cleared(void **state);
void pmi_stays_latched_after_the_counter_is_reset(void **state);

/* behaviour_register.c */
void status_set_sets_bits(void **state);
void in_use_shows_what_is_programmed(void **state);
void pebs_record_comes_at_the_event_after_the_overflow(void **state);
void pebs_keeps_to_its_buffer(void **state);
void pebs_threshold_is_bit_62_and_a_pmi(void **state);
void one_msr_on_64_processors_is_64_registers(void **state);
void registers_of_k7_and_the_core_extension_are_one(void **state);

/* behaviour_refused.c. Adds the accesses of pmu.md 1.5, each on every one of
 * the parts that it applies to. */
void refused_accesses_add(struct test_list *list);

/* behaviour_list, in test_behaviours.c: adds "name.model" for each part of
 * `models`. */
void behaviour_add(struct test_list *list, const char *name, unsigned models,
    CMUnitTestFunction function, const void *row);

#endif
