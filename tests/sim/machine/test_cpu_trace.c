/* test_cpu_trace.c - what a processor leaves in the trace while time passes. */
#include <string.h>

#include "tests/sim/machine/single_cpu.h"

/* Counter 0 counts core cycles and overflows after 1,000; 5,000 cycles pass. */
static struct run_row {
    const char *name;
    uint64_t select, fixed_ctrl;
    uint32_t lvtpc;
    enum ring ring;
    bool halted;
    const char *want;
} run_rows[] = {
    {"overflow_request_and_interrupt", 0x53003C, 0, 0xFE, RING_USER, false,
        "0 cpu0 segment cycles=5000 ring=user halted=0\n"
        "1000 cpu0 overflow counter=0\n"
        "1030 cpu0 pmi_raised vector=0xfe\n"
        "1040 cpu0 pmi_taken vector=0xfe\n"},
    {"masked_lvtpc_drops_the_request", 0x53003C, 0, 0x100FE, RING_KERNEL, false,
        "0 cpu0 segment cycles=5000 ring=kernel halted=0\n"
        "1000 cpu0 overflow counter=0\n"
        "1030 cpu0 pmi_dropped lvtpc=0x100fe\n"},
    {"overflow_without_int_asks_for_nothing", 0x43003C, 0, 0xFE, RING_USER,
        false,
        "0 cpu0 segment cycles=5000 ring=user halted=0\n"
        "1000 cpu0 overflow counter=0\n"},
    {"fixed_counter_1_is_counter_33", 0, 0xB0, 0xFE, RING_USER, false,
        "0 cpu0 segment cycles=5000 ring=user halted=0\n"
        "1000 cpu0 overflow counter=33\n"
        "1030 cpu0 pmi_raised vector=0xfe\n"
        "1040 cpu0 pmi_taken vector=0xfe\n"},
    {"two_overflows_of_one_cycle_are_one_request", 0x53003C, 0xB0, 0x51,
        RING_USER, false,
        "0 cpu0 segment cycles=5000 ring=user halted=0\n"
        "1000 cpu0 overflow counter=0\n"
        "1000 cpu0 overflow counter=33\n"
        "1030 cpu0 pmi_raised vector=0x51\n"
        "1040 cpu0 pmi_taken vector=0x51\n"},
    {"halted_processor_counts_nothing", 0x53003C, 0, 0xFE, RING_KERNEL, true,
        "0 cpu0 segment cycles=5000 ring=kernel halted=1\n"},
};

/* All lines; the caller's text is large enough. */
static void trace_lines(const struct trace *trace, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < trace->count; i++) {
        trace_format(trace, i, text + used, size - used);
        used += strlen(text + used);
        assert_true(used + 2 < size);
        text[used++] = '\n';
        text[used] = '\0';
    }
}

static void run_row(void **state)
{
    const struct run_row *row = *state;
    struct single_cpu one;
    struct segment segment;
    char text[1000];

    single_cpu_init(&one);
    one.cpu->lapic.lvtpc = row->lvtpc;
    pmu_set_value(&one.cpu->pmu, 0, 0xFFFFFFFFFC18);
    pmu_set_value(&one.cpu->pmu, 9, 0xFFFFFFFFFC18);
    pmu_set_select(&one.cpu->pmu, 0, row->select);
    pmu_set_fixed_ctrl(&one.cpu->pmu, row->fixed_ctrl);
    pmu_set_global_ctrl(&one.cpu->pmu, 0x200000001);
    segment_init(&segment, one.cpu->pmu.model, 0, 5000, row->ring);
    segment.halted = row->halted;
    cpu_run_segment(one.cpu, &segment);

    trace_lines(&one.machine.trace, text, sizeof(text));
    assert_string_equal(text, row->want);
    single_cpu_release(&one);
}

static void interrupt_of_another_processor_is_an_ipi(void **state)
{
    struct single_cpu one;
    char text[100];

    (void)state;
    single_cpu_init(&one);
    cpu_send(one.cpu, 0xE1, 0);
    cpu_checkpoint(one.cpu);

    trace_lines(&one.machine.trace, text, sizeof(text));
    assert_string_equal(text, "0 cpu0 ipi_taken vector=0xe1\n");
    single_cpu_release(&one);
}

TEST_FILE(test_cpu_trace)
{
    TEST_ADD_ROWS(list, run_row, run_rows);
    test_add(list, "interrupt_of_another_processor_is_an_ipi",
        interrupt_of_another_processor_is_an_ipi, NULL);
}
