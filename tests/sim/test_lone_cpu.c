/* test_lone_cpu.c - one processor as a library: what it takes, what it refuses,
 * and whom it calls. */
#include "sim/lone_cpu.h"

#include <string.h>

#include "tests/rows.h"

enum {
    PMC0 = 0x0C1,
    PERFEVTSEL0 = 0x186,
    GLOBAL_STATUS = 0x38E,
    EOI = 0x80B,
    LVT_PMI = 0x834,
    INSTRUCTIONS_INT = 0x5100C0, /* EN, INT, USR */
};

struct caller {
    struct lone_cpu *cpu;
    unsigned calls;
    uint8_t vector;
    uint64_t time;
};

static void called(void *context, uint8_t vector)
{
    struct caller *caller = context;

    caller->calls++;
    caller->vector = vector;
    caller->time = lone_cpu_time(caller->cpu);
    if (vector != 2) {
        assert_true(lone_cpu_wrmsr(caller->cpu, EOI, 0));
    }
}

/* A processor whose PMC0 overflows with the third instruction. */
static void arm(struct caller *caller, uint64_t lvt_pmi)
{
    *caller = (struct caller){.calls = 0};
    caller->cpu = lone_cpu_make(lone_model_find("skylake"));
    assert_non_null(caller->cpu);
    assert_true(lone_cpu_wrmsr(caller->cpu, LVT_PMI, lvt_pmi));
    assert_true(lone_cpu_wrmsr(caller->cpu, PMC0, 0xFFFFFFFD));
    assert_true(lone_cpu_wrmsr(caller->cpu, PERFEVTSEL0, INSTRUCTIONS_INT));
}

static struct interrupt_row {
    const char *name;
    uint64_t lvt_pmi;
    bool listens;
    unsigned want_calls;
    uint8_t want_vector;
    uint64_t want_time;
} interrupt_rows[] = {
    /* 300 cycles of WRMSR, 30 to the third instruction, 40 to the interrupt. */
    {"vector_of_lvtpc_is_called", 0xFE, true, 1, 0xFE, 370},
    {"nmi_is_vector_2", 0x400, true, 1, 2, 370},
    {"masked_lvtpc_calls_nobody", 0x100FE, true, 0, 0, 0},
    {"nobody_listens", 0xFE, false, 0, 0, 0},
};

static void interrupt_row(void **state)
{
    const struct interrupt_row *row = *state;
    struct lone_work work = {.cycles = 1000, .ring = LONE_USER};
    struct caller caller;
    uint64_t value = 0;

    arm(&caller, row->lvt_pmi);
    if (row->listens) {
        lone_cpu_on_interrupt(caller.cpu, called, &caller);
    }
    work.total[LONE_INSTRUCTIONS] = 100;
    assert_true(lone_cpu_run(caller.cpu, &work));

    assert_int_equal(caller.calls, row->want_calls);
    assert_int_equal(caller.vector, row->want_vector);
    assert_int_equal(caller.time, row->want_time);
    assert_true(lone_cpu_rdmsr(caller.cpu, PMC0, &value));
    assert_int_equal(value, 97);
    assert_true(lone_cpu_rdpmc(caller.cpu, 0, &value));
    assert_int_equal(value, 97);
    assert_true(lone_cpu_rdmsr(caller.cpu, GLOBAL_STATUS, &value));
    assert_int_equal(value, 1);
    lone_cpu_free(caller.cpu);
}

static struct work_row {
    const char *name;
    uint64_t cycles, instructions, cycles_total;
    enum lone_ring ring;
    bool want;
} work_rows[] = {
    {"no_cycles_are_refused", 0, 0, 0, LONE_USER, false},
    {"one_cycle_is_enough", 1, 1, 0, LONE_USER, true},
    {"sixty_four_events_a_cycle_are_the_most", 10, 640, 0, LONE_USER, true},
    {"more_are_refused", 10, 641, 0, LONE_USER, false},
    {"longest_work", 0x1000000000000, 7, 0, LONE_KERNEL, true},
    {"longer_is_refused", 0x1000000000001, 7, 0, LONE_KERNEL, false},
    {"total_of_a_clock_is_refused", 10, 1, 10, LONE_USER, false},
    {"ring_that_is_none_is_refused", 10, 1, 0, (enum lone_ring)2, false},
};

static void work_row(void **state)
{
    const struct work_row *row = *state;
    struct lone_work work = {.cycles = row->cycles, .ring = row->ring};
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find("zen4"));

    assert_non_null(cpu);
    work.total[LONE_INSTRUCTIONS] = row->instructions;
    work.total[LONE_CORE_CYCLES] = row->cycles_total;
    assert_int_equal(lone_cpu_run(cpu, &work), row->want);
    assert_int_equal(lone_cpu_time(cpu), row->want ? row->cycles : 0);
    lone_cpu_free(cpu);
}

static void total_is_counted_exactly(void **state)
{
    struct lone_work work = {.cycles = 999999999999, .ring = LONE_USER};
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find("intel_v4"));
    uint64_t value = 0;

    (void)state;
    assert_non_null(cpu);
    assert_true(lone_cpu_wrmsr(cpu, PERFEVTSEL0, 0x4100C0));
    work.total[LONE_INSTRUCTIONS] = 123456789012;
    assert_true(lone_cpu_run(cpu, &work));
    assert_true(lone_cpu_rdmsr(cpu, PMC0, &value));
    assert_int_equal(value, 123456789012);
    lone_cpu_free(cpu);
}

static void refused_access_is_false_and_changes_nothing(void **state)
{
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find("skylake"));
    uint64_t value = 77;
    uint32_t out[4];

    (void)state;
    assert_non_null(cpu);
    assert_false(lone_cpu_wrmsr(cpu, GLOBAL_STATUS, 1));
    assert_false(lone_cpu_rdmsr(cpu, 0xC0010000, &value));
    assert_false(lone_cpu_lacks(cpu, 0xC0010000));
    assert_false(lone_cpu_lacks(cpu, GLOBAL_STATUS));
    assert_false(lone_cpu_rdmsr(cpu, 0x19C, &value));
    assert_true(lone_cpu_lacks(cpu, 0x19C));
    assert_false(lone_cpu_rdpmc(cpu, 4, &value));
    assert_int_equal(value, 77);
    assert_true(lone_cpu_rdmsr(cpu, GLOBAL_STATUS, &value));
    assert_int_equal(value, 0);
    lone_cpu_cpuid(cpu, 0xA, out);
    assert_int_equal(out[0], 0x07300404);
    lone_cpu_free(cpu);
}

/* `figure` of skylake becomes `value`. */
static struct problem_row {
    const char *name;
    size_t figure;
    uint32_t value;
    const char *want; /* NULL: nothing, and it is made */
} problem_rows[] = {
#define FIGURE(name) offsetof(struct lone_model, name)
    {"other_possible_figure", FIGURE(general), 8, NULL},
    {"version_that_is_none", FIGURE(version), 6,
        "the vendor has no such version"},
    {"figures_that_contradict_each_other", FIGURE(general), 9,
        "an Intel PMU has at most 8 general counters here"},
    {"access_that_costs_nothing", FIGURE(msr_cycles), 0,
        "msr_cycles is out of its range"},
    {"counters_of_too_many_bits", FIGURE(width), 65,
        "width is out of its range"},
    {"vendor_that_is_none", FIGURE(vendor), LONE_VENDORS,
        "there is no such vendor"},
#undef FIGURE
};

static void problem_row(void **state)
{
    const struct problem_row *row = *state;
    struct lone_model model = *lone_model_find("skylake");
    struct lone_cpu *cpu;

    memcpy((char *)&model + row->figure, &row->value, sizeof(row->value));
    cpu = lone_cpu_make(&model);
    if (row->want == NULL) {
        assert_null(lone_model_problem(&model));
        assert_non_null(cpu);
    } else {
        assert_string_equal(lone_model_problem(&model), row->want);
        assert_null(cpu);
    }
    lone_cpu_free(cpu);
}

static void no_model_is_no_processor(void **state)
{
    (void)state;
    assert_null(lone_model_find("skylak"));
    assert_string_equal(lone_model_problem(NULL), "there is no model");
    assert_null(lone_cpu_make(NULL));
    lone_cpu_free(NULL);
}

static void every_model_is_found_and_makes_a_processor(void **state)
{
    const struct lone_model *model;

    (void)state;
    assert_non_null(lone_model_at(0));
    for (size_t n = 0; (model = lone_model_at(n)) != NULL; n++) {
        struct lone_cpu *cpu = lone_cpu_make(model);

        assert_ptr_equal(lone_model_find(model->name), model);
        assert_non_null(cpu);
        lone_cpu_free(cpu);
    }
}

static void many_at_once_do_not_know_of_each_other(void **state)
{
    enum { PROCESSORS = 64 };
    struct lone_cpu *cpu[PROCESSORS];

    (void)state;
    for (unsigned i = 0; i < PROCESSORS; i++) {
        struct lone_work work = {.cycles = 1000, .ring = LONE_USER};

        cpu[i] = lone_cpu_make(lone_model_find("skylake"));
        assert_non_null(cpu[i]);
        assert_true(lone_cpu_wrmsr(cpu[i], PERFEVTSEL0, 0x4100C0));
        work.total[LONE_INSTRUCTIONS] = i;
        assert_true(lone_cpu_run(cpu[i], &work));
    }
    for (unsigned i = 0; i < PROCESSORS; i++) {
        uint64_t value = 0;

        assert_true(lone_cpu_rdmsr(cpu[i], PMC0, &value));
        assert_int_equal(value, i);
        lone_cpu_free(cpu[i]);
    }
}

static void called_runs(void *context, uint8_t vector)
{
    struct lone_work work = {.cycles = 50, .ring = LONE_KERNEL};
    struct caller *caller = context;

    called(context, vector);
    assert_true(lone_cpu_run(caller->cpu, &work));
}

/* The interrupt comes at 370; 100 cycles of WRMSR and 50 of work, then the rest
 * of the work that it came into. */
static void handler_may_run(void **state)
{
    struct lone_work work = {.cycles = 1000, .ring = LONE_USER};
    struct caller caller;

    (void)state;
    arm(&caller, 0xFE);
    lone_cpu_on_interrupt(caller.cpu, called_runs, &caller);
    work.total[LONE_INSTRUCTIONS] = 100;
    assert_true(lone_cpu_run(caller.cpu, &work));
    assert_int_equal(caller.calls, 1);
    assert_int_equal(caller.time, 370);
    assert_int_equal(lone_cpu_time(caller.cpu), 300 + 1000 + 100 + 50);
    lone_cpu_free(caller.cpu);
}

enum {
    PEBS_ENABLE = 0x3F1,
    DS_AREA = 0x600,
    DS_BASE = 0x20 / 8,
    DS_INDEX,
    DS_MAXIMUM,
    DS_THRESHOLD,
    DS_RESET_0,
    DS_WORDS = 0xA0 / 8,
    RECORD_BYTES = 200, /* format 3 */
};

/* A processor whose PMC0 samples every second instruction. */
static struct lone_cpu *sampling(uint64_t ds_area)
{
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find("skylake"));

    assert_non_null(cpu);
    assert_true(lone_cpu_wrmsr(cpu, DS_AREA, ds_area));
    assert_true(lone_cpu_wrmsr(cpu, PEBS_ENABLE, 1));
    assert_true(lone_cpu_wrmsr(cpu, PMC0, 0xFFFFFFFF));
    return cpu;
}

static void run_sampling(struct lone_cpu *cpu)
{
    struct lone_work work = {.cycles = 100, .ring = LONE_USER};

    assert_true(lone_cpu_wrmsr(cpu, PERFEVTSEL0, 0x4100C0));
    work.total[LONE_INSTRUCTIONS] = 10;
    assert_true(lone_cpu_run(cpu, &work));
}

static void records_go_to_memory_of_the_processor(void **state)
{
    struct lone_cpu *cpu = sampling(0);
    uint64_t *area = lone_cpu_memory(cpu, DS_WORDS * sizeof(*area));
    uint64_t *buffer = lone_cpu_memory(cpu, 10 * RECORD_BYTES);

    (void)state;
    assert_non_null(area);
    assert_non_null(buffer);
    area[DS_BASE] = area[DS_INDEX] = (uint64_t)(uintptr_t)buffer;
    area[DS_MAXIMUM] = area[DS_BASE] + 10 * RECORD_BYTES;
    area[DS_THRESHOLD] = area[DS_MAXIMUM];
    area[DS_RESET_0] = 0xFFFFFFFFFFFF;
    assert_true(lone_cpu_wrmsr(cpu, DS_AREA, (uint64_t)(uintptr_t)area));
    run_sampling(cpu);
    assert_int_equal(area[DS_INDEX] - area[DS_BASE], 5 * RECORD_BYTES);
    assert_int_equal(buffer[0x90 / 8], 0x1); /* of counter 0 */
    assert_int_equal(lone_cpu_lost_records(cpu), 0);
    lone_cpu_free(cpu);
}

/* One instruction overflows, the next is the sample; without a record nothing
 * brings the reset value back. */
static void records_without_memory_are_counted(void **state)
{
    static uint64_t area[DS_WORDS];
    struct lone_cpu *cpu = sampling((uint64_t)(uintptr_t)area);

    (void)state;
    run_sampling(cpu);
    assert_int_equal(lone_cpu_lost_records(cpu), 1);
    assert_int_equal(area[DS_INDEX], 0);
    lone_cpu_free(cpu);
}

static void memory_is_zeroed_aligned_and_not_endless(void **state)
{
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find("skylake"));
    const uint8_t *memory;

    (void)state;
    assert_non_null(cpu);
    memory = lone_cpu_memory(cpu, 5001);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 16, 0);
    assert_int_equal(memory[0], 0);
    assert_int_equal(memory[5000], 0);
    assert_null(lone_cpu_memory(cpu, (size_t)1 << 40));
    assert_null(lone_cpu_memory(cpu, SIZE_MAX));
    lone_cpu_free(cpu);
}

#define PMCR LONE_SYSREG(3, 3, 9, 12, 0)
#define PMCNTENSET LONE_SYSREG(3, 3, 9, 12, 1)
#define PMOVSCLR LONE_SYSREG(3, 3, 9, 12, 3)
#define PMINTENSET LONE_SYSREG(3, 0, 9, 14, 1)
#define PMEVCNTR0 LONE_SYSREG(3, 3, 14, 8, 0)
#define PMEVTYPER0 LONE_SYSREG(3, 3, 14, 12, 0)
enum { INST_RETIRED = 0x08 };

static void called_on_arm(void *context, uint8_t vector)
{
    struct caller *caller = context;

    assert_int_equal(lone_cpu_msr(caller->cpu, PMOVSCLR, 1, 0x1), LONE_DONE);
    called(context, vector);
}

static void armv8_counts_and_interrupts(void **state)
{
    struct lone_work work = {.cycles = 1000, .ring = LONE_USER};
    struct caller caller = {
        .cpu = lone_cpu_make(lone_model_find("neoverse_n1"))};
    struct lone_cpu *cpu = caller.cpu;
    uint64_t value = 0;

    (void)state;
    assert_non_null(cpu);
    lone_cpu_on_interrupt(cpu, called_on_arm, &caller);
    assert_true(lone_cpu_wrmsr(cpu, LVT_PMI, 0xFE));
    assert_int_equal(lone_cpu_msr(cpu, PMEVTYPER0, 1, INST_RETIRED), LONE_DONE);
    assert_int_equal(lone_cpu_msr(cpu, PMEVCNTR0, 1, 0xFFFFFFFD), LONE_DONE);
    assert_int_equal(lone_cpu_msr(cpu, PMCNTENSET, 1, 0x1), LONE_DONE);
    assert_int_equal(lone_cpu_msr(cpu, PMINTENSET, 1, 0x1), LONE_DONE);
    assert_int_equal(lone_cpu_msr(cpu, PMCR, 1, 0x1), LONE_DONE);
    work.total[LONE_INSTRUCTIONS] = 100;
    assert_true(lone_cpu_run(cpu, &work));
    assert_int_equal(caller.calls, 1);
    assert_int_equal(caller.vector, 0xFE);
    assert_int_equal(lone_cpu_mrs(cpu, PMEVCNTR0, 1, &value), LONE_DONE);
    assert_true(value >= 97); /* the handler's accesses count, too */
    lone_cpu_free(cpu);
}

static struct sysreg_row {
    const char *name, *model;
    uint32_t reg;
    unsigned el;
    enum lone_access want;
} sysreg_rows[] = {
    {"register_of_the_pmu", "neoverse_n1", PMCR, 1, LONE_DONE},
    {"el0_is_trapped", "neoverse_n1", PMCR, 0, LONE_TRAPPED_TO_EL1},
    {"register_that_is_none", "neoverse_n1", 0, 1, LONE_UNDEFINED},
    {"level_that_is_none", "neoverse_n1", PMCR, 3, LONE_UNDEFINED},
    {"x86_has_none", "skylake", PMCR, 1, LONE_UNDEFINED},
};

static void sysreg_row(void **state)
{
    const struct sysreg_row *row = *state;
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find(row->model));
    uint64_t value = 77;

    assert_non_null(cpu);
    assert_int_equal(lone_cpu_mrs(cpu, row->reg, row->el, &value), row->want);
    assert_int_equal(value == 77, row->want != LONE_DONE);
    assert_int_equal(lone_cpu_msr(cpu, row->reg, row->el, 0), row->want);
    lone_cpu_free(cpu);
}

TEST_FILE(test_lone_cpu)
{
    TEST_ADD_ROWS(list, interrupt_row, interrupt_rows);
    TEST_ADD_ROWS(list, work_row, work_rows);
    TEST_ADD_ROWS(list, problem_row, problem_rows);
    TEST_ADD_ROWS(list, sysreg_row, sysreg_rows);
#define TEST(function) test_add(list, #function, function, NULL)
    TEST(total_is_counted_exactly);
    TEST(refused_access_is_false_and_changes_nothing);
    TEST(no_model_is_no_processor);
    TEST(every_model_is_found_and_makes_a_processor);
    TEST(many_at_once_do_not_know_of_each_other);
    TEST(handler_may_run);
    TEST(records_go_to_memory_of_the_processor);
    TEST(records_without_memory_are_counted);
    TEST(memory_is_zeroed_aligned_and_not_endless);
    TEST(armv8_counts_and_interrupts);
}
