/* test_pmu_differential.c - random programs on the model and on a reference
 * that counts cycle by cycle (naive_pmu.h): results, values, registers, times
 * and interrupts are the same after every operation.
 *
 * A failure prints the shortest program that was found to fail and its seed:
 * NTPMU_SEED=n begins with that one. */
#include <stdio.h>

#include "sim/machine/machine.h"
#include "sim/machine/msr.h"
#include "tests/rows.h"
#include "tests/sim/pmu/pmu_side.h"
#include "tests/sim/pmu/seed.h"

enum { PROGRAMS = 1000, SEED = 1 };

/* What the manuals say that each model is, and what ours have of what those
 * leave open (docs/fidelity.md). STATUS has DS buffer and CondChgd; uncore
 * since version 3, LBR_FRZ, CTR_FRZ and ASCI since version 4. */
static struct model_row {
    const char *name;
    enum model model;
    struct naive_model naive;
} model_rows[] = {
#define TIMES                                                                  \
    .access_cycles = 100, .latency_cycles = 30, .skid_cycles = 10,             \
    .tsc = {1, 1, 0}
#define INTEL(version_, general_, fixed_, width_, events_, slots_)             \
    .vendor = NAIVE_INTEL, .version = (version_), .general = (general_),       \
    .fixed = (fixed_), .width = (width_), .events = (events_),                 \
    .slots = (slots_), .ref = {1, 25, 0}, TIMES
#define AMD(version_, general_, slots_, ref_)                                  \
    .vendor = NAIVE_AMD, .version = (version_), .general = (general_),         \
    .width = 48, .slots = (slots_), .ref = {1, (ref_), 0}, TIMES
/* With PEBS. */
#define PART(version_, general_, fixed_, events_, slots_, ref_, format_)       \
    .vendor = NAIVE_INTEL, .version = (version_), .general = (general_),       \
    .fixed = (fixed_), .width = 48, .events = (events_), .slots = (slots_),    \
    .ref = {1, (ref_), 0}, .pebs = true, .pebs_format = (format_),             \
    .debugctl = 0x1803, TIMES
    {"no_pmu", MODEL_NONE, {INTEL(0, 0, 0, 48, 0, 4), .debugctl = 0x3}},
    {"intel_v1", MODEL_INTEL_V1,
        {INTEL(1, 2, 0, 40, 0x7F, 4), .debugctl = 0x3}},
    {"intel_v2", MODEL_INTEL_V2,
        {INTEL(2, 8, 0x7, 48, 0x7F, 4), .status_more = 0xC000000000000000,
            .debugctl = 0x1803}},
    {"intel_v3", MODEL_INTEL_V3,
        {INTEL(3, 8, 0x7, 48, 0x7F, 4), .any_thread = true,
            .status_more = 0xE000000000000000, .debugctl = 0x1803}},
    {"intel_v4", MODEL_INTEL_V4,
        {INTEL(4, 8, 0x7, 48, 0x7F, 4), .any_thread = true, .full_width = true,
            .status_more = 0xFC00000000000000, .status_set = 0x7C00000000000000,
            .debugctl = 0x1803}},
    {"intel_v5", MODEL_INTEL_V5,
        {INTEL(5, 8, 0xF, 48, 0xFF, 5), .full_width = true,
            .status_more = 0xFC00000000000000, .status_set = 0x7C00000000000000,
            .debugctl = 0x1803}},
    {"pebs_of_version_2", MODEL_INTEL_V2,
        {PART(2, 8, 0x7, 0x7F, 4, 25, 0), .status_more = 0xC000000000000000}},
    {"pebs_of_version_3", MODEL_INTEL_V3,
        {PART(3, 8, 0x7, 0x7F, 4, 25, 1), .any_thread = true,
            .status_more = 0xE000000000000000}},
    {"skylake", MODEL_SKYLAKE,
        {PART(4, 4, 0x7, 0x7F, 4, 40, 3), .any_thread = true,
            .full_width = true, .status_more = 0xFC00000000000000,
            .status_set = 0x7C00000000000000}},
    {"ice_lake", MODEL_ICE_LAKE,
        {PART(5, 8, 0xF, 0xFF, 5, 24, 4), .full_width = true,
            .status_more = 0xFC00000000000000,
            .status_set = 0x7C00000000000000}},
    {"sapphire_rapids", MODEL_SAPPHIRE_RAPIDS,
        {PART(5, 8, 0xF, 0xFF, 6, 20, 4), .full_width = true,
            .status_more = 0xFC00000000000000,
            .status_set = 0x7C00000000000000}},
    {"amd_k7", MODEL_K8, {AMD(1, 4, 3, 10), .debugctl = 0x3}},
    {"amd_core_extension", MODEL_ZEN2, {AMD(2, 6, 6, 35), .debugctl = 0x3}},
    {"amd_perfmon_v2", MODEL_ZEN4,
        {AMD(3, 6, 6, 45), .status_more = 0x0C00000000000000,
            .status_set = 0x0C00000000000000, .debugctl = 0x1803}},
#undef TIMES
#undef INTEL
#undef AMD
#undef PART
};

/* Everything that is too large for a stack. */
static struct {
    struct machine machine;
    struct pmu_log model_log, naive_log;
    struct pmu_program program;
    uint8_t memory[NAIVE_MEMORY]; /* the reference's */
} big;

static bool model_read(void *cpu, uint32_t address, uint64_t *value)
{
    return msr_read(cpu, address, value) == MSR_OK;
}

static bool model_write(void *cpu, uint32_t address, uint64_t value)
{
    return msr_write(cpu, address, value) == MSR_OK;
}

static bool model_rdpmc(
    void *cpu, uint32_t selector, bool user, bool pce, uint64_t *value)
{
    return msr_rdpmc(cpu, selector, user ? RING_USER : RING_KERNEL, pce,
               value) == MSR_OK;
}

/* The events that code has, as the model calls them. */
static const enum event events[NAIVE_CODE_EVENTS] = {
    [NAIVE_INSTRUCTIONS] = EVENT_INSTRUCTIONS,
    [NAIVE_LLC_REFERENCES] = EVENT_LLC_REFERENCES,
    [NAIVE_LLC_MISSES] = EVENT_LLC_MISSES,
    [NAIVE_BRANCHES] = EVENT_BRANCHES,
    [NAIVE_BRANCH_MISSES] = EVENT_BRANCH_MISSES,
};

static void model_run(void *context, const struct naive_segment *code)
{
    struct cpu *cpu = context;
    struct segment segment;

    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), code->cycles,
        code->user ? RING_USER : RING_KERNEL);
    segment.halted = code->halted;
    for (unsigned e = 0; e < NAIVE_CODE_EVENTS; e++) {
        segment.rate[events[e]] = (struct rate){
            code->rate[e].p, code->rate[e].q, code->rate[e].phase};
    }
    cpu_run_segment(cpu, &segment);
}

static void model_add(
    void *cpu, enum naive_event event, unsigned count, bool user)
{
    cpu_add_events(cpu, events[event], count, user ? RING_USER : RING_KERNEL);
}

static void model_settle(void *cpu)
{
    cpu_settle(cpu);
}

static void model_set_interrupts(void *cpu, bool on)
{
    if (on) {
        cpu_enable_interrupts(cpu);
    } else {
        cpu_disable_interrupts(cpu);
    }
    cpu_checkpoint(cpu);
}

static void model_set_priority(void *cpu, unsigned class)
{
    cpu_set_task_priority(cpu, class);
}

static bool model_peek(void *cpu, uint32_t address, uint64_t *value)
{
    return msr_peek(cpu, address, value) == MSR_OK;
}

/* It is asked for after every operation. */
static uint64_t model_time(void *cpu)
{
    assert_true(cpu_check(cpu));
    return ((const struct cpu *)cpu)->time;
}

static void model_interrupt(void *context, struct cpu *cpu, uint8_t vector)
{
    (void)cpu;
    pmu_run_interrupt(context, vector);
}

static bool reference_read(void *naive, uint32_t address, uint64_t *value)
{
    return naive_read(naive, address, value);
}

static bool reference_write(void *naive, uint32_t address, uint64_t value)
{
    return naive_write(naive, address, value);
}

static bool reference_rdpmc(
    void *naive, uint32_t selector, bool user, bool pce, uint64_t *value)
{
    return naive_rdpmc(naive, selector, user, pce, value);
}

static void reference_run(void *naive, const struct naive_segment *code)
{
    naive_run(naive, code);
}

static void reference_add(
    void *naive, enum naive_event event, unsigned count, bool user)
{
    naive_add(naive, event, count, user);
}

static void reference_settle(void *naive)
{
    naive_settle(naive);
}

static void reference_set_interrupts(void *context, bool on)
{
    struct naive_pmu *naive = context;

    naive->interrupts_off = !on;
    naive_checkpoint(naive);
}

static void reference_set_priority(void *context, unsigned class)
{
    struct naive_pmu *naive = context;

    naive->task_priority = 16u * class;
    naive_checkpoint(naive);
}

static bool reference_peek(void *naive, uint32_t address, uint64_t *value)
{
    return naive_peek(naive, address, value);
}

static uint64_t reference_time(void *naive)
{
    return ((const struct naive_pmu *)naive)->time;
}

/* The model's row with the program's figures. */
static struct pmu_model figures(
    const struct pmu_model *row, const struct naive_model *naive)
{
    struct pmu_model model = *row;

    model.general = naive->general;
    model.fixed = 0;
    while ((naive->fixed >> model.fixed & 1) != 0) {
        model.fixed++;
    }
    if (naive->version >= 5) { /* some by count, some by map, some by both */
        model.fixed_map = (uint32_t)naive->fixed & ~UINT32_C(1);
    }
    model.events_missing =
        ~naive->events & ((UINT32_C(1) << model.event_bits) - 1);
    model.width = naive->width;
    model.full_width = naive->full_width;
    model.any_thread = naive->any_thread;
    model.pebs = naive->pebs;
    model.pebs_format = naive->pebs_format;
    model.pebs_baseline = naive->pebs && naive->pebs_format >= 4;
    model.msr_cycles = (uint32_t)naive->access_cycles;
    model.latency = (uint32_t)naive->latency_cycles;
    model.skid = (uint32_t)naive->skid_cycles;
    model.slots = naive->slots;
    model.ref = (struct rate){naive->ref.p, naive->ref.q, 0};
    model.tsc = (struct rate){naive->tsc.p, naive->tsc.q, 0};
    assert_null(model_problem(&model));
    return model;
}

/* The block that DS areas lie in, of a machine that was just reset; NULL: there
 * is no PEBS. It is where it is in every run. */
static uint8_t *model_memory(const struct naive_model *naive)
{
    uint8_t *memory;

    if (!naive->pebs) {
        return NULL;
    }
    memory = memory_alloc(&big.machine.memory, NAIVE_MEMORY, 0);
    assert_non_null(memory);
    assert_true(
        naive->ds_area == 0 || (uint64_t)(uintptr_t)memory == naive->ds_area);
    return memory;
}

static void run_model(
    const struct pmu_program *program, const struct pmu_model *row)
{
    struct machine_config config = {
        .processors = 1, .groups = 1, .pmu = figures(row, &program->model)};
    struct pmu_side side = {
        .read = model_read,
        .write = model_write,
        .rdpmc = model_rdpmc,
        .run = model_run,
        .add = model_add,
        .settle = model_settle,
        .set_interrupts = model_set_interrupts,
        .set_priority = model_set_priority,
        .peek = model_peek,
        .time = model_time,
    };
    struct pmu_run run = {
        .program = program, .side = &side, .log = &big.model_log};

    machine_reset(&big.machine, &config);
    side.memory = model_memory(&program->model);
    machine_on_interrupt(&big.machine, model_interrupt, &run);
    side.machine = machine_cpu(&big.machine, 0);
    pmu_run(&run);
}

static void run_reference(const struct pmu_program *program)
{
    struct naive_pmu naive;
    struct pmu_side side = {
        .machine = &naive,
        .read = reference_read,
        .write = reference_write,
        .rdpmc = reference_rdpmc,
        .run = reference_run,
        .add = reference_add,
        .settle = reference_settle,
        .set_interrupts = reference_set_interrupts,
        .set_priority = reference_set_priority,
        .peek = reference_peek,
        .time = reference_time,
    };
    struct pmu_run run = {
        .program = program, .side = &side, .log = &big.naive_log};

    side.memory = program->model.pebs ? big.memory : NULL;
    naive_init(&naive, &program->model, side.memory, pmu_run_interrupt, &run);
    pmu_run(&run);
}

static bool agree(const struct pmu_program *program,
    const struct pmu_model *model, unsigned *at)
{
    run_model(program, model);
    run_reference(program);
    return pmu_log_same(&big.model_log, &big.naive_log, at);
}

/* Leaves out each operation without which the program still fails. */
static void shorten(struct pmu_program *program, struct pmu_ops *ops,
    const struct pmu_model *model)
{
    unsigned at;

    for (unsigned i = ops->count; i-- > 0;) {
        struct pmu_ops all = *ops;

        for (unsigned n = i + 1; n < all.count; n++) {
            ops->op[n - 1] = all.op[n];
        }
        ops->count--;
        if (agree(program, model, &at)) {
            *ops = all;
        }
    }
}

static void fail_program(
    struct pmu_program *program, const struct pmu_model *model)
{
    unsigned at;

    shorten(program, &program->body, model);
    shorten(program, &program->handler, model);
    shorten(program, &program->body, model);
    if (!agree(program, model, &at)) {
        pmu_log_print(stderr, program, &big.model_log, &big.naive_log, at);
    }
    machine_release(&big.machine);
    fail_msg("model and reference differ");
}

/* Where that block is. */
static uint64_t find_ds_area(const struct model_row *row)
{
    const struct machine_config config = {
        .processors = 1, .groups = 1, .pmu = pmu_models[row->model]};

    machine_reset(&big.machine, &config);
    return (uint64_t)(uintptr_t)model_memory(&row->naive);
}

static void model_row(void **state)
{
    const struct model_row *row = *state;
    const struct pmu_model *model = &pmu_models[row->model];
    struct naive_model naive = row->naive;
    uint64_t seed = seed_first(SEED), count = seed_count(PROGRAMS);
    unsigned at;

    assert_true(machine_reserve(&big.machine));
    naive.ds_area = find_ds_area(row);
    for (uint64_t i = 0; i < count; i++) {
        pmu_program_make(&big.program, seed + i, &naive);
        if (!agree(&big.program, model, &at)) {
            fail_program(&big.program, model);
        }
    }
    machine_release(&big.machine);
}

TEST_FILE(test_pmu_differential)
{
    TEST_ADD_ROWS(list, model_row, model_rows);
}
