/* test_gate.c - what every call goes through: the IRQL contract, the cost, the
 * trace and the preemption point (facts.md 1.4, IRQL-GEN-01). */
#include "api/boot/exports.h"
#include "api/ps/counter_config.h"
#include "sim/machine/msr.h"
#include "tests/api/booted_kernel.h"

/* A call of a routine at a level; `place` is memory for an output. */
struct gate_call {
    enum routine routine;
    KIRQL level;
    uint64_t argument[ROUTINE_PARAMETERS];
    bool returned;
    uint64_t result;
};

static void call_at_level(void *argument)
{
    struct gate_call *call = argument;
    KIRQL old = KfRaiseIrql(call->level);

    (void)old;
    call->result = export_entries[call->routine].call(call->argument);
    call->returned = true;
}

/* Arguments that each routine takes at any level it may be called at. */
static void give_arguments(struct booted_kernel *booted, struct gate_call *call)
{
    if (call->routine == ROUTINE_HalFreeHardwareCounters) {
        call->argument[0] = 1; /* no set's, which is a status and no rule */
    }
    if (call->routine == ROUTINE_KeQueryHardwareCounterConfiguration) {
        call->argument[2] = (uint64_t)(uintptr_t)booted_block(booted, 4, 0);
    }
    if (call->routine == ROUTINE_KfRaiseIrql) {
        call->argument[0] = booted->kernel.arch_id == ARCH_X86 ? 31 : 15;
    }
}

static struct contract_row {
    const char *name;
    const char *routine;
    enum arch arch;
    KIRQL levels; /* that exist: 0 .. levels-1 */
    KIRQL want_highest;
} contract_rows[] = {
    {"x64_allocate_is_for_passive_level", "HalAllocateHardwareCounters",
        ARCH_X64, 16, 0},
    {"x64_free_is_for_passive_level", "HalFreeHardwareCounters", ARCH_X64, 16,
        0},
    {"x64_set_is_for_apc_level_and_below", "KeSetHardwareCounterConfiguration",
        ARCH_X64, 16, 1},
    {"x64_query_is_for_apc_level_and_below",
        "KeQueryHardwareCounterConfiguration", ARCH_X64, 16, 1},
    {"x64_raise_is_for_any_level", "KfRaiseIrql", ARCH_X64, 16, 15},
    {"x64_lower_is_for_any_level", "KeLowerIrql", ARCH_X64, 16, 15},
    {"x64_current_is_for_any_level", "KeGetCurrentIrql", ARCH_X64, 16, 15},
    {"x86_allocate_is_for_passive_level", "HalAllocateHardwareCounters",
        ARCH_X86, 32, 0},
    {"x86_free_is_for_passive_level", "HalFreeHardwareCounters", ARCH_X86, 32,
        0},
    {"x86_set_is_for_apc_level_and_below", "KeSetHardwareCounterConfiguration",
        ARCH_X86, 32, 1},
    {"x86_query_is_for_apc_level_and_below",
        "KeQueryHardwareCounterConfiguration", ARCH_X86, 32, 1},
    {"x86_raise_is_for_any_level", "KfRaiseIrql", ARCH_X86, 32, 31},
    {"x86_lower_is_for_any_level", "KeLowerIrql", ARCH_X86, 32, 31},
    {"x86_current_is_for_any_level", "KeGetCurrentIrql", ARCH_X86, 32, 31},
};

static void refused_call(const struct booted_kernel *booted,
    const struct contract_row *row, KIRQL level)
{
    const struct bugcheck *bugcheck = &booted->kernel.bugcheck;
    const struct rule_event *event = booted->kernel.rules.event;

    assert_int_equal(bugcheck->code, 0x0A);
    assert_string_equal(bugcheck->parameter[0].name, row->routine);
    assert_int_equal(bugcheck->parameter[1].value, level);
    assert_int_equal(bugcheck->parameter[2].value, row->want_highest);
    assert_int_equal(booted->kernel.rules.count, 1);
    assert_string_equal(rule_rows[event->rule].id, "irql.contract");
    assert_string_equal(routine_rows[event->routine].name, row->routine);
    assert_int_equal(event->irql, level);
    assert_int_equal(event->processor, 0);
}

/* At every level that the architecture has. */
static void contract_row(void **state)
{
    const struct contract_row *row = *state;

    for (KIRQL level = 0; level < row->levels; level++) {
        struct booted_kernel booted;
        struct gate_call call = {.level = level};

        assert_true(routine_find(row->routine, &call.routine));
        booted_init(&booted, OS_WIN10_1903, row->arch, 1, 1);
        give_arguments(&booted, &call);
        if (level <= row->want_highest) {
            booted_run(&booted, 0, call_at_level, &call);
            assert_true(call.returned);
            assert_int_equal(booted.kernel.rules.count, 0);
            assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
        } else {
            booted_run_to_stop(&booted, 0, call_at_level, &call);
            assert_false(call.returned);
            refused_call(&booted, row, level);
        }
        booted_release(&booted);
    }
}

static void refused_call_has_no_effect(void **state)
{
    static const HARDWARE_COUNTER counter = {.Index = 1};
    struct booted_kernel booted;
    struct gate_call call = {
        .routine = ROUTINE_KeSetHardwareCounterConfiguration, .level = 2};
    uint64_t before;

    (void)state;
    booted_init_usual(&booted);
    before = booted_cpu(&booted, 0)->time;
    call.argument[0] =
        (uint64_t)(uintptr_t)booted_copy(&booted, &counter, sizeof(counter));
    call.argument[1] = 1;
    booted_run_to_stop(&booted, 0, call_at_level, &call);
    assert_int_equal(booted.kernel.config->count, 0);
    /* The time of the raise, none of the call. */
    assert_int_equal(booted_cpu(&booted, 0)->time - before, 20);
    booted_release(&booted);
}

static void call_below_the_level(void *argument)
{
    struct gate_call *call = argument;

    call->result = export_entries[call->routine].call(call->argument);
    call->returned = true;
}

/* Fixed counter 0 counts the instructions of ring 0. */
static struct cost_row {
    const char *name;
    enum routine routine;
    uint64_t want_cycles, want_instructions;
} cost_rows[] = {
    {"allocate_costs_1200_cycles", ROUTINE_HalAllocateHardwareCounters, 1200,
        800},
    {"free_costs_800_cycles", ROUTINE_HalFreeHardwareCounters, 800, 500},
    {"set_costs_600_cycles", ROUTINE_KeSetHardwareCounterConfiguration, 600,
        400},
    {"query_costs_500_cycles", ROUTINE_KeQueryHardwareCounterConfiguration, 500,
        300},
    {"raise_costs_20_cycles", ROUTINE_KfRaiseIrql, 20, 10},
    {"current_costs_5_cycles", ROUTINE_KeGetCurrentIrql, 5, 3},
};

static void cost_row(void **state)
{
    const struct cost_row *row = *state;
    struct booted_kernel booted;
    struct gate_call call = {.routine = row->routine};
    struct cpu *cpu;
    uint64_t time, instructions = 0;

    booted_init_usual(&booted);
    cpu = booted_cpu(&booted, 0);
    give_arguments(&booted, &call);
    assert_int_equal(msr_write(cpu, 0x38D, 0x1), MSR_OK);
    assert_int_equal(msr_write(cpu, 0x38F, 0x100000000), MSR_OK);
    time = cpu->time;
    booted_run(&booted, 0, call_below_the_level, &call);

    assert_int_equal(cpu->time - time, row->want_cycles);
    assert_int_equal(msr_peek(cpu, 0x309, &instructions), MSR_OK);
    assert_int_equal(instructions, row->want_instructions);
    booted_release(&booted);
}

static void nobody_costs_anything_but_the_caller(void **state)
{
    struct booted_kernel booted;
    struct gate_call call = {.routine = ROUTINE_KeGetCurrentIrql};
    uint64_t before;

    (void)state;
    booted_init_usual(&booted);
    before = booted_cpu(&booted, 1)->time;
    booted_run(&booted, 0, call_below_the_level, &call);
    assert_int_equal(booted_cpu(&booted, 1)->time, before);
    booted_release(&booted);
}

/* Looks, 300 cycles after the other processor's call began, at what that call
 * has done. */
static void look_at_configuration(void *argument)
{
    ULONG *count = argument;
    struct kernel *kernel = kernel_current();

    cpu_spend(kernel_cpu(kernel), 300, 1);
    cpu_checkpoint(kernel_cpu(kernel));
    *count = kernel->config->count;
}

static void earlier_processor_goes_before_the_routine_acts(void **state)
{
    static const HARDWARE_COUNTER counter = {.Index = 1};
    struct booted_kernel booted;
    struct gate_call call = {
        .routine = ROUTINE_KeSetHardwareCounterConfiguration};
    ULONG seen = 99;

    (void)state;
    booted_init_usual(&booted);
    call.argument[0] =
        (uint64_t)(uintptr_t)booted_copy(&booted, &counter, sizeof(counter));
    call.argument[1] = 1;
    booted_spawn(&booted, 0, call_below_the_level, &call);
    booted_spawn(&booted, 1, look_at_configuration, &seen);
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    assert_int_equal(seen, 0);
    assert_int_equal(booted.kernel.config->count, 1);
    booted_release(&booted);
}

/* Whether the trace has a line that ends so. */
static unsigned traced(const struct booted_kernel *booted, const char *text)
{
    const struct trace *trace = &booted->machine.trace;
    unsigned count = 0;
    char line[512];

    for (size_t i = 0; i < trace->count; i++) {
        trace_format(trace, i, line, sizeof(line));
        count += strstr(line, text) != NULL;
    }
    return count;
}

static void call_and_return_are_in_the_trace(void **state)
{
    struct booted_kernel booted;
    struct gate_call call = {.routine = ROUTINE_HalFreeHardwareCounters};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, call_below_the_level, &call);
    assert_int_equal((uint32_t)call.result, 0xC000000D);
    assert_int_equal(traced(&booted, "cpu0 call HalFreeHardwareCounters("
                                     "CounterSetHandle=null)"),
        1);
    assert_int_equal(traced(&booted, "cpu0 return api=HalFreeHardwareCounters "
                                     "status=STATUS_INVALID_PARAMETER"),
        1);
    booted_release(&booted);
}

static void refused_call_is_in_the_trace_without_return(void **state)
{
    struct booted_kernel booted;
    struct gate_call call = {
        .routine = ROUTINE_HalFreeHardwareCounters, .level = 2};

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, call_at_level, &call);
    assert_int_equal(traced(&booted, "call HalFreeHardwareCounters("), 1);
    assert_int_equal(traced(&booted, "violation rule=irql.contract "
                                     "api=HalFreeHardwareCounters irql=2"),
        1);
    assert_int_equal(
        traced(&booted, "bugcheck code=IRQL_NOT_LESS_OR_EQUAL"), 1);
    assert_int_equal(traced(&booted, "return api=HalFreeHardwareCounters"), 0);
    booted_release(&booted);
}

static void trace_that_is_off_stays_empty(void **state)
{
    struct booted_kernel booted;
    struct gate_call call = {.routine = ROUTINE_HalFreeHardwareCounters};

    (void)state;
    booted_init_usual(&booted);
    trace_reset(&booted.machine.trace);
    booted.machine.trace.off = true;
    booted_run(&booted, 0, call_below_the_level, &call);
    assert_true(call.returned);
    assert_int_equal(booted.machine.trace.count, 0);
    assert_int_equal(booted.machine.trace.text_used, 0);
    booted_release(&booted);
}

TEST_FILE(test_gate)
{
    TEST_ADD_ROWS(list, contract_row, contract_rows);
    TEST_ADD_ROWS(list, cost_row, cost_rows);
    test_add(
        list, "refused_call_has_no_effect", refused_call_has_no_effect, NULL);
    test_add(list, "nobody_costs_anything_but_the_caller",
        nobody_costs_anything_but_the_caller, NULL);
    test_add(list, "earlier_processor_goes_before_the_routine_acts",
        earlier_processor_goes_before_the_routine_acts, NULL);
    test_add(list, "call_and_return_are_in_the_trace",
        call_and_return_are_in_the_trace, NULL);
    test_add(list, "refused_call_is_in_the_trace_without_return",
        refused_call_is_in_the_trace_without_return, NULL);
    test_add(list, "trace_that_is_off_stays_empty",
        trace_that_is_off_stays_empty, NULL);
}
