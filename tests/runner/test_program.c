/* test_program.c - how far below its wrap a counter can be preset (pmu.md 1.2:
 * a write to IA32_PMCn has 32 bits and repeats bit 31). */
#include "scenarios/runner/program.h"
#include "tests/rows.h"

static struct period_row {
    const char *name;
    uint8_t width_bits;
    unsigned counter;
    uint64_t want;
} period_rows[] = {
    {"general_of_48_bits", 48, 0, 0x80000000},
    {"general_of_40_bits", 40, 7, 0x80000000},
    {"general_of_33_bits", 33, 0, 0x80000000},
    {"general_of_32_bits_is_written_whole", 32, 0, 0xFFFFFFFF},
    {"fixed_of_48_bits", 48, 32, 0xFFFFFFFFFFFF},
    {"fixed_of_32_bits", 32, 34, 0xFFFFFFFF},
};

static void period_row(void **state)
{
    const struct period_row *row = *state;
    struct pmu_model model = {.width = row->width_bits};

    assert_int_equal(program_period(&model, row->counter), row->want);
}

int main(void)
{
    struct test_list list = {.count = 0};

    TEST_ADD_ROWS(&list, period_row, period_rows);
    return test_run("runner.program", &list);
}
