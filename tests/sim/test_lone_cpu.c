/* test_lone_cpu.c - one processor as a library: what it takes, what it refuses,
 * and whom it calls. */
#include "sim/lone_cpu.h"
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
    caller->cpu = lone_cpu_make(model_find("skylake"));
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
    struct lone_work work = {.cycles = 1000, .ring = RING_USER};
    struct caller caller;
    uint64_t value = 0;

    arm(&caller, row->lvt_pmi);
    if (row->listens) {
        lone_cpu_on_interrupt(caller.cpu, called, &caller);
    }
    work.total[EVENT_INSTRUCTIONS] = 100;
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
    enum ring ring;
    bool want;
} work_rows[] = {
    {"no_cycles_are_refused", 0, 0, 0, RING_USER, false},
    {"one_cycle_is_enough", 1, 1, 0, RING_USER, true},
    {"sixty_four_events_a_cycle_are_the_most", 10, 640, 0, RING_USER, true},
    {"more_are_refused", 10, 641, 0, RING_USER, false},
    {"longest_work", 0x1000000000000, 7, 0, RING_KERNEL, true},
    {"longer_is_refused", 0x1000000000001, 7, 0, RING_KERNEL, false},
    {"total_of_a_clock_is_refused", 10, 1, 10, RING_USER, false},
    {"ring_that_is_none_is_refused", 10, 1, 0, RING_COUNT, false},
};

static void work_row(void **state)
{
    const struct work_row *row = *state;
    struct lone_work work = {.cycles = row->cycles, .ring = row->ring};
    struct lone_cpu *cpu = lone_cpu_make(model_find("zen4"));

    assert_non_null(cpu);
    work.total[EVENT_INSTRUCTIONS] = row->instructions;
    work.total[EVENT_CORE_CYCLES] = row->cycles_total;
    assert_int_equal(lone_cpu_run(cpu, &work), row->want);
    assert_int_equal(lone_cpu_time(cpu), row->want ? row->cycles : 0);
    lone_cpu_free(cpu);
}

static void total_is_counted_exactly(void **state)
{
    struct lone_work work = {.cycles = 999999999999, .ring = RING_USER};
    struct lone_cpu *cpu = lone_cpu_make(model_find("intel_v4"));
    uint64_t value = 0;

    (void)state;
    assert_non_null(cpu);
    assert_true(lone_cpu_wrmsr(cpu, PERFEVTSEL0, 0x4100C0));
    work.total[EVENT_INSTRUCTIONS] = 123456789012;
    assert_true(lone_cpu_run(cpu, &work));
    assert_true(lone_cpu_rdmsr(cpu, PMC0, &value));
    assert_int_equal(value, 123456789012);
    lone_cpu_free(cpu);
}

static void refused_access_is_false_and_changes_nothing(void **state)
{
    struct lone_cpu *cpu = lone_cpu_make(model_find("skylake"));
    uint64_t value = 77;
    uint32_t out[4];

    (void)state;
    assert_non_null(cpu);
    assert_false(lone_cpu_wrmsr(cpu, GLOBAL_STATUS, 1));
    assert_false(lone_cpu_rdmsr(cpu, 0xC0010000, &value));
    assert_false(lone_cpu_rdpmc(cpu, 4, &value));
    assert_int_equal(value, 77);
    assert_true(lone_cpu_rdmsr(cpu, GLOBAL_STATUS, &value));
    assert_int_equal(value, 0);
    lone_cpu_cpuid(cpu, 0xA, out);
    assert_int_equal(out[0], 0x07300404);
    lone_cpu_free(cpu);
}

static void what_is_no_processor_is_not_made(void **state)
{
    struct pmu_model model = *model_find("skylake");

    (void)state;
    assert_null(lone_cpu_make(model_find("neoverse_n1")));
    model.version = 9;
    assert_null(lone_cpu_make(&model));
    lone_cpu_free(NULL);
}

static void one_after_the_other_can_be_made(void **state)
{
    struct lone_cpu *cpu;

    (void)state;
    for (int i = 0; i < 3; i++) {
        cpu = lone_cpu_make(model_find("k8"));
        assert_non_null(cpu);
        lone_cpu_free(cpu);
    }
}

int main(void)
{
    struct test_list list = {.count = 0};

    TEST_ADD_ROWS(&list, interrupt_row, interrupt_rows);
    TEST_ADD_ROWS(&list, work_row, work_rows);
    test_add(&list, "total_is_counted_exactly", total_is_counted_exactly, NULL);
    test_add(&list, "refused_access_is_false_and_changes_nothing",
        refused_access_is_false_and_changes_nothing, NULL);
    test_add(&list, "what_is_no_processor_is_not_made",
        what_is_no_processor_is_not_made, NULL);
    test_add(&list, "one_after_the_other_can_be_made",
        one_after_the_other_can_be_made, NULL);
    return test_run("sim.lone_cpu", &list);
}
