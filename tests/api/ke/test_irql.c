/* test_irql.c - KfRaiseIrql, KeLowerIrql and KeGetCurrentIrql, and the task
 * priority that follows the level (facts.md 7.1). */
#include "api/boot/exports.h"
#include "api/ke/irql.h"
#include "sim/machine/msr.h"
#include "tests/api/booted_kernel.h"

/* A driver that raises and lowers: "+" and a level, "-" and a level, "=" and
 * what it writes to CR8. */
enum { MOVES = 6 };

struct move {
    char kind; /* '+' raise, '-' lower, '=' write CR8, 0 the end */
    KIRQL level;
};

struct walk {
    struct move move[MOVES];
    KIRQL old[MOVES];     /* what a raise returned */
    KIRQL current[MOVES]; /* after the move */
    uint64_t priority[MOVES];
    unsigned done;
};

static void walk(void *argument)
{
    struct walk *walk = argument;

    for (unsigned i = 0; i < MOVES && walk->move[i].kind != 0; i++) {
        if (walk->move[i].kind == '+') {
            walk->old[i] = KfRaiseIrql(walk->move[i].level);
        } else if (walk->move[i].kind == '=') {
            irql_write_cr8(kernel_current(), kernel_cpu(kernel_current()),
                walk->move[i].level);
        } else {
            KeLowerIrql(walk->move[i].level);
        }
        walk->current[i] = KeGetCurrentIrql();
        walk->priority[i] = kernel_cpu(kernel_current())->lapic.task_priority;
        walk->done++;
    }
}

static struct walk_row {
    const char *name;
    struct move move[MOVES];
    unsigned want_done;
    KIRQL want_old[MOVES], want_current[MOVES];
} walk_rows[] = {
    {"raise_returns_the_level_before", {{'+', 2}}, 1, {0}, {2}},
    {"second_raise_returns_the_first_level", {{'+', 1}, {'+', 15}}, 2, {0, 1},
        {1, 15}},
    {"raise_to_the_same_level_is_allowed", {{'+', 2}, {'+', 2}}, 2, {0, 2},
        {2, 2}},
    {"raise_from_passive_to_passive_is_allowed", {{'+', 0}}, 1, {0}, {0}},
    {"lower_goes_back", {{'+', 2}, {'-', 0}}, 2, {0}, {2, 0}},
    {"lower_goes_back_one_raise_at_a_time",
        {{'+', 1}, {'+', 2}, {'-', 1}, {'-', 0}}, 4, {0, 1}, {1, 2, 1, 0}},
    {"raise_after_a_lower_starts_anew",
        {{'+', 2}, {'-', 0}, {'+', 1}, {'-', 0}}, 4, {0, 0, 0}, {2, 0, 1, 0}},
    {"raise_that_cr8_may_have_undone_may_be_passed_over",
        {{'+', 2}, {'+', 2}, {'=', 2}, {'-', 0}}, 4, {0, 2}, {2, 2, 2, 0}},
    {"writes_of_cr8_may_have_undone_a_raise_each",
        {{'+', 2}, {'+', 2}, {'+', 2}, {'=', 2}, {'=', 2}, {'-', 0}}, 6,
        {0, 2, 2}, {2, 2, 2, 2, 2, 0}},
    {"write_of_cr8_undoes_no_raise_from_another_level",
        {{'+', 2}, {'=', 2}, {'-', 0}}, 3, {0}, {2, 2, 0}},
    {"write_of_cr8_without_a_raise", {{'=', 0}, {'+', 1}, {'-', 0}}, 3, {0},
        {0, 1, 0}},
};

static void walk_row(void **state)
{
    const struct walk_row *row = *state;
    struct booted_kernel booted;
    struct walk made = {.done = 0};

    memcpy(made.move, row->move, sizeof(made.move));
    booted_init_usual(&booted);
    booted_run(&booted, 0, walk, &made);
    assert_int_equal(made.done, row->want_done);
    assert_memory_equal(made.old, row->want_old, MOVES);
    assert_memory_equal(made.current, row->want_current, MOVES);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

static struct stop_row {
    const char *name;
    enum arch arch;
    struct move move[MOVES];
    unsigned want_done;
    const char *want_rule;
    uint32_t want_code;
    const char *want_routine;
    uint64_t want_current, want_wanted;
} stop_rows[] = {
    {"raise_below_the_current_level_stops", ARCH_X64, {{'+', 2}, {'+', 1}}, 1,
        "irql.raise_lowers", 0x09, "KfRaiseIrql", 2, 1},
    {"raise_to_passive_from_apc_stops", ARCH_X64, {{'+', 1}, {'+', 0}}, 1,
        "irql.raise_lowers", 0x09, "KfRaiseIrql", 1, 0},
    {"lower_above_the_current_level_stops", ARCH_X64, {{'+', 1}, {'-', 2}}, 1,
        "irql.lower_raises", 0x0A, "KeLowerIrql", 1, 2},
    {"lower_without_a_raise_stops", ARCH_X64, {{'-', 0}}, 0,
        "irql.lower_mismatch", 0xC8, "KeLowerIrql", 0, 0},
    {"lower_to_another_level_than_before_stops", ARCH_X64, {{'+', 2}, {'-', 1}},
        1, "irql.lower_mismatch", 0xC8, "KeLowerIrql", 2, 1},
    {"lower_to_the_level_before_the_last_stops", ARCH_X64,
        {{'+', 1}, {'+', 2}, {'-', 0}}, 2, "irql.lower_mismatch", 0xC8,
        "KeLowerIrql", 2, 0},
    {"lower_to_the_current_level_stops", ARCH_X64, {{'+', 2}, {'-', 2}}, 1,
        "irql.lower_mismatch", 0xC8, "KeLowerIrql", 2, 2},
    {"second_lower_of_one_raise_stops", ARCH_X64,
        {{'+', 2}, {'-', 0}, {'-', 0}}, 2, "irql.lower_mismatch", 0xC8,
        "KeLowerIrql", 0, 0},
    {"what_cr8_may_have_undone_ends_with_its_raise", ARCH_X64,
        {{'+', 2}, {'+', 2}, {'=', 2}, {'-', 2}, {'+', 2}, {'-', 0}}, 5,
        "irql.lower_mismatch", 0xC8, "KeLowerIrql", 2, 0},
    {"write_of_cr8_may_have_undone_the_last_raise_alone", ARCH_X64,
        {{'+', 2}, {'+', 2}, {'+', 2}, {'=', 2}, {'-', 0}}, 4,
        "irql.lower_mismatch", 0xC8, "KeLowerIrql", 2, 0},
    {"x64_raise_above_high_level_stops", ARCH_X64, {{'+', 15}, {'+', 16}}, 1,
        "irql.no_such_level", 0xC8, "KfRaiseIrql", 15, 16},
    {"x86_raise_above_high_level_stops", ARCH_X86, {{'+', 31}, {'+', 32}}, 1,
        "irql.no_such_level", 0xC8, "KfRaiseIrql", 31, 32},
    {"raise_to_the_highest_number_stops", ARCH_X64, {{'+', 255}}, 0,
        "irql.no_such_level", 0xC8, "KfRaiseIrql", 0, 255},
};

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct booted_kernel booted;
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;
    struct walk made = {.done = 0};

    memcpy(made.move, row->move, sizeof(made.move));
    booted_init(&booted, OS_WIN10_1903, row->arch, 2, 1);
    booted_run_to_stop(&booted, 1, walk, &made);
    assert_int_equal(made.done, row->want_done);
    assert_int_equal(bugcheck->code, row->want_code);
    assert_int_equal(bugcheck->processor, 1);
    assert_string_equal(bugcheck->parameter[0].name, row->want_routine);
    assert_int_equal(bugcheck->parameter[1].value, row->want_current);
    assert_int_equal(bugcheck->parameter[2].value, row->want_wanted);
    assert_int_equal(booted.kernel.rules.count, 1);
    assert_string_equal(
        rule_rows[booted.kernel.rules.event[0].rule].id, row->want_rule);
    booted_release(&booted);
}

static struct priority_row {
    const char *name;
    enum arch arch;
    KIRQL level;
    uint8_t want;
} priority_rows[] = {
    {"x64_passive_is_priority_0", ARCH_X64, 0, 0x00},
    {"x64_dispatch_is_priority_2", ARCH_X64, 2, 0x20},
    {"x64_clock_is_priority_13", ARCH_X64, 13, 0xD0},
    {"x64_high_is_priority_15", ARCH_X64, 15, 0xF0},
    {"x86_high_is_priority_15", ARCH_X86, 31, 0xF0},
};

static void priority_row(void **state)
{
    const struct priority_row *row = *state;
    struct booted_kernel booted;
    struct walk made = {.move = {{'+', row->level}, {'-', 0}}};

    booted_init(&booted, OS_WIN7, row->arch, 1, 1);
    booted_run(&booted, 0, walk, &made);
    assert_int_equal(made.current[0], row->level);
    assert_int_equal(made.priority[0], row->want);
    assert_int_equal(made.priority[1], 0);
    booted_release(&booted);
}

static void levels_are_the_processors_own(void **state)
{
    struct booted_kernel booted;
    struct walk made = {.move = {{'+', 2}}};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 1, walk, &made);
    assert_int_equal(irql_current(&booted.kernel, booted_cpu(&booted, 1)), 2);
    assert_int_equal(irql_current(&booted.kernel, booted_cpu(&booted, 0)), 0);
    assert_int_equal(booted_cpu(&booted, 0)->lapic.task_priority, 0);
    booted_release(&booted);
}

static void lower_what_is_taken_along(void *argument)
{
    struct kernel *kernel = kernel_current();
    struct irql_state taken;

    (void)argument;
    KfRaiseIrql(1);
    irql_take(kernel, kernel_cpu(kernel), &taken);
    KeLowerIrql(0);
}

static void who_leaves_takes_the_raises_along(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 1, lower_what_is_taken_along, NULL);
    assert_int_equal(booted_broken(&booted, RULE_IRQL_LOWER_MISMATCH), 1);
    booted_release(&booted);
}

/* 70 raises of which the first is to 1 and the others to 2; then as many
 * lowers, each to what its raise returned. */
static void climb(void *argument)
{
    KIRQL old[70];
    KIRQL *last = argument;

    for (unsigned i = 0; i < 70; i++) {
        old[i] = KfRaiseIrql(i == 0 ? 1 : 2);
    }
    for (unsigned i = 70; i > 0; i--) {
        KeLowerIrql(old[i - 1]);
    }
    *last = KeGetCurrentIrql();
}

/* 66 raises to DISPATCH_LEVEL, of which CR8 may have undone one that is not
 * recorded, and as many lowers as there were raises. */
static void climb_by_cr8(void *argument)
{
    KIRQL *last = argument;

    for (unsigned i = 0; i < 66; i++) {
        KfRaiseIrql(2);
    }
    irql_write_cr8(kernel_current(), kernel_cpu(kernel_current()), 2);
    for (unsigned i = 65; i > 0; i--) {
        KeLowerIrql(2);
    }
    KeLowerIrql(0);
    *last = KeGetCurrentIrql();
}

/* Of 64 raises, all that are recorded, CR8 undoes the last; the first 62 raise
 * nothing. */
static void undo_the_last_recorded(void *argument)
{
    KIRQL *last = argument;

    for (unsigned i = 0; i < 62; i++) {
        KfRaiseIrql(0);
    }
    KfRaiseIrql(2);
    KfRaiseIrql(2);
    irql_write_cr8(kernel_current(), kernel_cpu(kernel_current()), 2);
    KeLowerIrql(0);
    *last = KeGetCurrentIrql();
}

/* Of two raises CR8 has undone the last one, which the thread knows when it
 * comes back, whatever was raised there meanwhile. */
static void leave_and_come_back(void *argument)
{
    KIRQL *last = argument;
    struct kernel *kernel = kernel_current();
    struct irql_state taken;

    memset(&taken, 0xA5, sizeof(taken)); /* all of it is taken */
    KfRaiseIrql(1);
    KfRaiseIrql(1);
    irql_write_cr8(kernel, kernel_cpu(kernel), 1);
    irql_take(kernel, kernel_cpu(kernel), &taken);
    KfRaiseIrql(0);
    KfRaiseIrql(1);
    KeLowerIrql(0);
    KeLowerIrql(0);
    irql_bring(kernel, kernel_cpu(kernel), &taken);
    KeLowerIrql(0);
    *last = KeGetCurrentIrql();
}

/* Each ends at the level that it began at, and breaks no rule. */
static struct climb_row {
    const char *name;
    void (*climb)(void *last);
} climb_rows[] = {
    {"raises_deeper_than_the_record_come_back", climb},
    {"write_of_cr8_undoes_no_raise_deeper_than_the_record", climb_by_cr8},
    {"write_of_cr8_undoes_the_last_raise_of_the_record",
        undo_the_last_recorded},
    {"raises_are_taken_along_as_they_are", leave_and_come_back},
};

static void climb_row(void **state)
{
    const struct climb_row *row = *state;
    struct booted_kernel booted;
    KIRQL last = 99;

    booted_init_usual(&booted);
    booted_run(&booted, 0, row->climb, &last);
    assert_int_equal(last, 0);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

/* Writes of CR8 that change nothing, more than there are points left. */
static void write_current_level(void *argument)
{
    struct kernel *kernel = kernel_current();

    (void)argument;
    for (unsigned i = 0; i < 100; i++) {
        irql_write_cr8(kernel, kernel_cpu(kernel), 0);
    }
}

static void every_write_of_cr8_is_a_preemption_point(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted.machine.budget = 50;
    booted_spawn(&booted, 0, write_current_level, NULL);
    assert_int_equal(machine_run(&booted.machine), MACHINE_BUDGET);
    booted_release(&booted);
}

/* A broadcast's worker that raises deeper than the record, so that nothing is
 * known of the last raise, and lowers to what it was given. */
static ULONG_PTR NTAPI dig(ULONG_PTR Argument)
{
    for (unsigned i = 0; i < 65; i++) {
        KfRaiseIrql(15);
    }
    KeLowerIrql((KIRQL)Argument);
    return KeGetCurrentIrql();
}

struct descent {
    unsigned raises; /* to APC_LEVEL, before the broadcast */
    KIRQL wanted, got;
};

static void descend(void *argument)
{
    struct descent *descent = argument;

    for (unsigned i = 0; i < descent->raises; i++) {
        KfRaiseIrql(1);
    }
    descent->got = (KIRQL)KeIpiGenericCall(dig, descent->wanted);
}

static struct descent_row {
    const char *name;
    struct descent descent;
    bool want_stop;
} descent_rows[] = {
    {"interrupt_lowers_to_its_own_level", {0, 14, 0}, false},
    {"interrupt_does_not_lower_below_its_level", {0, 13, 0}, true},
    {"interrupt_does_not_lower_to_what_it_came_upon", {0, 0, 0}, true},
    {"interrupt_of_code_with_a_full_record_lowers_to_its_own_level",
        {64, 14, 0}, false},
    {"interrupt_of_code_with_a_full_record_lowers_no_further", {64, 1, 0},
        true},
};

static void descent_row(void **state)
{
    const struct descent_row *row = *state;
    struct booted_kernel booted;
    struct descent descent = row->descent;

    booted_init_usual(&booted);
    booted_spawn(&booted, 0, descend, &descent);
    assert_int_equal(machine_run(&booted.machine),
        row->want_stop ? MACHINE_STOPPED : MACHINE_IDLE);
    assert_int_equal(booted_broken(&booted, RULE_IRQL_LOWER_MISMATCH),
        row->want_stop ? 1 : 0);
    assert_int_equal(descent.got, row->want_stop ? 0 : row->descent.wanted);
    booted_release(&booted);
}

/* Counter 0 overflows at IRQL `level`; the status register before and after
 * the level is lowered. */
struct pending {
    KIRQL level;
    uint64_t before, after;
};

static void overflow_above(void *argument)
{
    struct pending *pending = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());
    KIRQL old = KfRaiseIrql(pending->level);
    struct segment segment;

    msr_write(cpu, 0x0C1, 0xFFFFFC18);
    msr_write(cpu, 0x186, 0x51003C);
    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), 2000, RING_USER);
    cpu_run_segment(cpu, &segment);
    msr_peek(cpu, 0x38E, &pending->before);
    KeLowerIrql(old);
    msr_peek(cpu, 0x38E, &pending->after);
}

static struct pending_row {
    const char *name;
    enum arch arch;
    KIRQL level;
    uint64_t want_before;
} pending_rows[] = {
    {"x64_interrupt_is_not_held_by_dispatch_level", ARCH_X64, 2, 0x0},
    {"x64_interrupt_is_not_held_by_ipi_level", ARCH_X64, 14, 0x0},
    {"x64_interrupt_waits_for_profile_level_to_end", ARCH_X64, 15, 0x1},
    {"x86_interrupt_is_not_held_below_profile_level", ARCH_X86, 26, 0x0},
    {"x86_interrupt_waits_for_profile_level_to_end", ARCH_X86, 27, 0x1},
    {"x86_interrupt_waits_for_clock_level_to_end", ARCH_X86, 28, 0x1},
    {"x86_interrupt_waits_for_high_level_to_end", ARCH_X86, 31, 0x1},
};

static void pending_row(void **state)
{
    const struct pending_row *row = *state;
    struct booted_kernel booted;
    struct pending pending = {.level = row->level, .after = 99};

    booted_init(&booted, OS_WIN10_1903, row->arch, 1, 1);
    booted_run(&booted, 0, overflow_above, &pending);
    assert_int_equal(pending.before, row->want_before);
    assert_int_equal(pending.after, 0);
    booted_release(&booted);
}

/* Whether a page has to be opened again, which was opened before. Without a
 * trace: with one every raise looks for pages. */
struct closing {
    bool at_apc_level, at_dispatch_level, opened_again;
};

static void open_and_raise(void *argument)
{
    struct closing *closing = argument;
    struct memory *memory = &kernel_current()->machine->memory;
    const void *block = ExAllocatePoolWithTag(PagedPool, 48, 0x74736574);

    kernel_current()->machine->trace.off = true;
    memory_page_out(memory);
    closing->opened_again = memory_page_in(memory, block);
    KfRaiseIrql(1);
    closing->at_apc_level = memory_page_in(memory, block);
    KfRaiseIrql(2);
    closing->at_dispatch_level = memory_page_in(memory, block);
}

static void raise_closes_a_single_page(void **state)
{
    struct booted_kernel booted;
    struct closing closing = {.opened_again = false};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, open_and_raise, &closing);
    assert_true(closing.opened_again);
    assert_false(closing.at_apc_level);
    assert_true(closing.at_dispatch_level);
    booted_release(&booted);
}

TEST_FILE(test_irql)
{
    TEST_ADD_ROWS(list, walk_row, walk_rows);
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    TEST_ADD_ROWS(list, priority_row, priority_rows);
    TEST_ADD_ROWS(list, descent_row, descent_rows);
    TEST_ADD_ROWS(list, pending_row, pending_rows);
    test_add(list, "levels_are_the_processors_own",
        levels_are_the_processors_own, NULL);
    test_add(list, "who_leaves_takes_the_raises_along",
        who_leaves_takes_the_raises_along, NULL);
    TEST_ADD_ROWS(list, climb_row, climb_rows);
    test_add(list, "every_write_of_cr8_is_a_preemption_point",
        every_write_of_cr8_is_a_preemption_point, NULL);
    test_add(
        list, "raise_closes_a_single_page", raise_closes_a_single_page, NULL);
}
