/* test_checks.c - a structure with one thing wrong does not pass its check: the
 * process ends there. */
#include "sim/machine/machine.h"
#include "sim/machine/strand.h"
#include "tests/spoilt.h"

/* Too large for a stack. */
static struct machine machine;
static struct cpu *cpu;
static struct strand *strand;
static struct segment segment;

static void nothing(void *argument)
{
    (void)argument;
}

static void make(enum model model)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[model]};

    assert_true(machine_reserve(&machine));
    machine_reset(&machine, &config);
    assert_non_null(memory_alloc(&machine.memory, 10, 0));
    trace_text(&machine.trace, "text");
    cpu = machine_cpu(&machine, 1);
    strand = strand_spawn(cpu, nothing, NULL, NULL);
    assert_non_null(strand);
    segment_init(&segment, cpu->pmu.model, 0, 100, RING_USER);
}

static bool check_all(void)
{
    return machine_check(&machine) && order_check(&machine.order) &&
           cpu_check(cpu) && strand_check(strand) && segment_check(&segment);
}

/* `part` becomes `value`. */
#define SPOILS(row, part, value)                                               \
    static void spoil_##row(void)                                              \
    {                                                                          \
        (part) = (value);                                                      \
    }
#include "tests/sim/machine/spoilt_parts.def"

static struct spoil_row spoil_rows[] = {
#define SPOILS(row, part, value) {#row, spoil_##row},
#include "tests/sim/machine/spoilt_parts.def"
};

static void spoil_row(void **state)
{
    make(MODEL_SKYLAKE);
    assert_spoilt_is_found(*state, check_all);
    machine_release(&machine);
}

/* The same of the PMU of an Armv8 processor. */
#define SPOILS_ARMV8(row, part, value)                                         \
    static void spoil_##row(void)                                              \
    {                                                                          \
        (part) = (value);                                                      \
    }
#include "tests/sim/machine/spoilt_parts.def"

static struct spoil_row spoil_armv8_rows[] = {
#define SPOILS_ARMV8(row, part, value) {#row, spoil_##row},
#include "tests/sim/machine/spoilt_parts.def"
};

static void spoil_armv8_row(void **state)
{
    make(MODEL_NEOVERSE_N1);
    assert_spoilt_is_found(*state, check_all);
    machine_release(&machine);
}

TEST_FILE(test_checks)
{
    TEST_ADD_ROWS(list, spoil_row, spoil_rows);
    TEST_ADD_ROWS(list, spoil_armv8_row, spoil_armv8_rows);
}
