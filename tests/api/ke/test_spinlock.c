/* test_spinlock.c - spin locks: levels, pairs, owners, waiting, and what is
 * left behind (facts.md 7.2).
 *
 * Driver code is a program of letters and numbers, see step(). */
#include <stdlib.h>

#include "api/boot/exports.h"
#include "api/ke/spinlock.h"
#include "tests/api/booted_kernel.h"

enum { LOCKS = 2, EVENTS = 3 };

struct driver_code {
    const char *program;
    KSPIN_LOCK *lock; /* two, in the driver's memory */
    KIRQL old[LOCKS];
    uint64_t ended;
};

static void step(struct driver_code *code, char what, uint64_t n)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    switch (what) {
    case 'i': /* initialise lock n */
        KeInitializeSpinLock(&code->lock[n]);
        break;
    case 'a': /* acquire lock n and raise */
        code->old[n] = KeAcquireSpinLockRaiseToDpc(&code->lock[n]);
        break;
    case 'r': /* release lock n, back to what its acquire returned */
        KeReleaseSpinLock(&code->lock[n], code->old[n]);
        break;
    case 'p': /* release lock n, to PASSIVE_LEVEL */
        KeReleaseSpinLock(&code->lock[n], 0);
        break;
    case 'q': /* release lock n, to DISPATCH_LEVEL */
        KeReleaseSpinLock(&code->lock[n], 2);
        break;
    case 'd': /* acquire lock n at DISPATCH_LEVEL */
        KeAcquireSpinLockAtDpcLevel(&code->lock[n]);
        break;
    case 'f': /* release lock n from DISPATCH_LEVEL */
        KeReleaseSpinLockFromDpcLevel(&code->lock[n]);
        break;
    case '+':
        KfRaiseIrql((KIRQL)n);
        break;
    case '-':
        KeLowerIrql((KIRQL)n);
        break;
    case 'k': /* n cycles pass, then a preemption point */
        cpu_spend(cpu, n, 1);
        cpu_checkpoint(cpu);
        break;
    case 'z': /* zero lock n by hand */
        code->lock[n] = 0;
        break;
    case 'x': /* the memory of the locks is freed */
        memory_free(&kernel_current()->machine->memory, code->lock);
        break;
    default:
        abort();
    }
}

static void run_code(void *argument)
{
    struct driver_code *code = argument;
    const char *at = code->program;

    while (*at != '\0') {
        char what = *at++;
        char *end;
        uint64_t n = strtoull(at, &end, 10);

        at = end;
        step(code, what, n);
    }
    code->ended = kernel_cpu(kernel_current())->time;
}

static KSPIN_LOCK *two_locks(struct booted_kernel *booted)
{
    return booted_block(booted, LOCKS * sizeof(KSPIN_LOCK), 0);
}

static void assert_events(
    const struct booted_kernel *booted, const char *const want[EVENTS])
{
    size_t count = 0;

    while (count < EVENTS && want[count] != NULL) {
        assert_true(count < booted->kernel.rules.count);
        assert_string_equal(
            rule_rows[booted->kernel.rules.event[count].rule].id, want[count]);
        count++;
    }
    assert_int_equal(booted->kernel.rules.count, count);
}

/* Code that goes on to its end: the level then, the locks, broken rules. */
static struct end_row {
    const char *name;
    const char *program;
    KIRQL want_irql;
    KSPIN_LOCK want_lock[LOCKS];
    const char *want_event[EVENTS];
} end_rows[] = {
    {"acquire_raises_and_takes", "a0", 2, {1, 0}, {NULL}},
    {"release_lowers_and_gives", "a0r0", 0, {0, 0}, {NULL}},
    {"acquire_at_apc_level_goes_back_there", "+1a0r0", 1, {0, 0}, {NULL}},
    {"acquire_at_dispatch_level_stays_there", "+2a0r0", 2, {0, 0}, {NULL}},
    {"raise_before_can_be_lowered_after", "+1a0r0-0", 0, {0, 0}, {NULL}},
    {"two_locks_in_order", "a0a1r1r0", 0, {0, 0}, {NULL}},
    {"dpc_pair_leaves_the_level", "+2d0f0-0", 0, {0, 0}, {NULL}},
    {"dpc_acquire_takes", "+2d1", 2, {0, 1}, {NULL}},
    {"dpc_pair_inside_of_the_other", "a0d1f1r0", 0, {0, 0}, {NULL}},
    {"lock_can_be_taken_again", "a0r0a0r0", 0, {0, 0}, {NULL}},
    {"initialising_frees", "a0i0", 2, {0, 0}, {NULL}},
    {"lock_that_was_zeroed_can_be_taken", "a0z0a0", 2, {1, 0}, {NULL}},
    {"raised_acquire_with_dpc_release", "a0f0-0", 0, {0, 0},
        {"lock.mixed_pair"}},
    {"dpc_acquire_with_lowering_release", "+2d0p0", 0, {0, 0},
        {"lock.mixed_pair"}},
    {"releases_in_the_wrong_order", "a0a1q0p1", 0, {0, 0},
        {"lock.release_irql", "lock.release_irql"}},
    {"dpc_pair_between_dispatch_and_profile", "+13d0f0-0", 0, {0, 0},
        {"lock.above_dispatch", "lock.above_dispatch"}},
    {"held_for_25_microseconds", "a0k62460r0", 0, {0, 0}, {NULL}},
    {"held_for_a_cycle_more", "a0k62461r0", 0, {0, 0}, {"lock.held_long"}},
    {"dpc_pair_held_for_25_microseconds", "+2d0k62470f0", 2, {0, 0}, {NULL}},
    {"dpc_pair_held_for_a_cycle_more", "+2d0k62471f0", 2, {0, 0},
        {"lock.held_long"}},
};

static void end_row(void **state)
{
    const struct end_row *row = *state;
    struct booted_kernel booted;
    struct driver_code code = {.program = row->program};

    booted_init_usual(&booted);
    code.lock = two_locks(&booted);
    booted_run(&booted, 1, run_code, &code);
    assert_int_equal(
        irql_current(&booted.kernel, booted_cpu(&booted, 1)), row->want_irql);
    assert_int_equal(code.lock[0], row->want_lock[0]);
    assert_int_equal(code.lock[1], row->want_lock[1]);
    assert_events(&booted, row->want_event);
    booted_release(&booted);
}

/* Code that stops the machine. */
static struct stop_row {
    const char *name;
    enum arch arch;
    const char *program;
    const char *want_rule;
    uint32_t want_code;
    const char *want_routine;
} stop_rows[] = {
    {"recursive_acquire", ARCH_X64, "a0a0", "lock.recursive", 0x0F,
        "KeAcquireSpinLockRaiseToDpc"},
    {"recursive_dpc_acquire", ARCH_X64, "a0d0", "lock.recursive", 0x0F,
        "KeAcquireSpinLockAtDpcLevel"},
    {"release_of_a_free_lock", ARCH_X64, "+2p0", "lock.not_owned", 0x10,
        "KeReleaseSpinLock"},
    {"dpc_release_of_a_free_lock", ARCH_X64, "+2f0", "lock.not_owned", 0x10,
        "KeReleaseSpinLockFromDpcLevel"},
    {"second_release", ARCH_X64, "+2d0f0f0", "lock.not_owned", 0x10,
        "KeReleaseSpinLockFromDpcLevel"},
    {"release_below_what_is_raised", ARCH_X64, "a0a1p0", "irql.lower_mismatch",
        0xC8, "KeReleaseSpinLock"},
    {"acquire_between_dispatch_and_profile", ARCH_X64, "+13a0", "irql.contract",
        0x0A, "KeAcquireSpinLockRaiseToDpc"},
    {"acquire_at_profile_level", ARCH_X64, "+15a0", "lock.at_profile", 0x0A,
        "KeAcquireSpinLockRaiseToDpc"},
    {"release_at_profile_level", ARCH_X64, "a0+15r0", "lock.at_profile", 0x0A,
        "KeReleaseSpinLock"},
    {"dpc_acquire_at_profile_level", ARCH_X64, "+15d0", "lock.at_profile", 0x0A,
        "KeAcquireSpinLockAtDpcLevel"},
    {"dpc_release_at_profile_level", ARCH_X64, "+2d0+15f0", "lock.at_profile",
        0x0A, "KeReleaseSpinLockFromDpcLevel"},
    {"x86_dpc_acquire_at_profile_level", ARCH_X86, "+27d0", "lock.at_profile",
        0x0A, "KeAcquireSpinLockAtDpcLevel"},
    {"x86_dpc_acquire_above_profile_level", ARCH_X86, "+31d0",
        "lock.at_profile", 0x0A, "KeAcquireSpinLockAtDpcLevel"},
    {"dpc_acquire_below_dispatch_level", ARCH_X64, "+1d0", "irql.contract",
        0x0A, "KeAcquireSpinLockAtDpcLevel"},
    {"release_below_dispatch_level", ARCH_X64, "p0", "irql.contract", 0x0A,
        "KeReleaseSpinLock"},
};

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct booted_kernel booted;
    struct driver_code code = {.program = row->program};
    const struct rule_event *event;

    booted_init(&booted, OS_WIN10_1903, row->arch, 2, 1);
    code.lock = two_locks(&booted);
    booted_run_to_stop(&booted, 1, run_code, &code);
    assert_int_equal(booted.kernel.rules.count, 1);
    event = &booted.kernel.rules.event[0];
    assert_string_equal(rule_rows[event->rule].id, row->want_rule);
    assert_string_equal(routine_rows[event->routine].name, row->want_routine);
    assert_int_equal(booted.kernel.bugcheck.code, row->want_code);
    booted_release(&booted);
}

/* Two processors that use the same locks, from the same time on. */
static struct two_row {
    const char *name;
    const char *first, *second;
    enum machine_end want_end;
    bool want_first_ends_first;
    const char *want_event[EVENTS];
} two_rows[] = {
    {"second_waits_for_the_first", "a0k5000r0", "k10a0r0", MACHINE_IDLE, true,
        {NULL}},
    {"dpc_acquire_waits_for_the_first", "a0k5000r0", "+2k10d0f0", MACHINE_IDLE,
        true, {NULL}},
    {"other_lock_is_not_waited_for", "a0k5000r0", "k10a1r1", MACHINE_IDLE,
        false, {NULL}},
    {"lock_that_the_other_zeroed_is_the_seconds", "a0z0k50000", "k1000a0r0",
        MACHINE_IDLE, false, {NULL}},
    {"release_of_the_others_lock_stops", "a0k5000", "+2k10p0", MACHINE_STOPPED,
        false, {"lock.not_owned"}},
    {"locks_in_opposite_order_are_a_deadlock", "a0k5000a1", "a1k5000a0",
        MACHINE_DEADLOCK, false, {"lock.order"}},
    {"memory_that_is_freed_meanwhile_is_an_exception", "a0k5000x0", "k10a0",
        MACHINE_STOPPED, true, {"pointer.fault"}},
};

static void two_row(void **state)
{
    const struct two_row *row = *state;
    struct booted_kernel booted;
    struct driver_code first = {.program = row->first};
    struct driver_code second = {.program = row->second};

    booted_init_usual(&booted);
    first.lock = second.lock = two_locks(&booted);
    booted_spawn(&booted, 0, run_code, &first);
    booted_spawn(&booted, 1, run_code, &second);
    assert_int_equal(machine_run(&booted.machine), row->want_end);
    if (row->want_end == MACHINE_IDLE) {
        assert_int_equal(
            first.ended < second.ended, row->want_first_ends_first);
        assert_int_equal(first.lock[0], 0);
        assert_int_equal(first.lock[1], 0);
    }
    assert_events(&booted, row->want_event);
    booted_release(&booted);
}

static void order_of_locks_without_steps_names_their_kinds(void **state)
{
    struct booted_kernel booted;
    struct driver_code first = {.program = "a0k5000a1"};
    struct driver_code second = {.program = "a1k5000a0"};

    (void)state;
    booted_init_usual(&booted);
    first.lock = second.lock = two_locks(&booted);
    booted_spawn(&booted, 0, run_code, &first);
    booted_spawn(&booted, 1, run_code, &second);
    assert_int_equal(machine_run(&booted.machine), MACHINE_DEADLOCK);
    assert_string_equal(
        booted.kernel.rules.event[0].subject, "spin lock behind spin lock");
    booted_release(&booted);
}

static void lock_that_was_not_initialised_is_reported_and_never_free(
    void **state)
{
    static const char *const want[EVENTS] = {"lock.not_initialized"};
    struct booted_kernel booted;
    struct driver_code code = {.program = "a0"};

    (void)state;
    booted_init_usual(&booted);
    code.lock = booted_block(&booted, LOCKS * sizeof(KSPIN_LOCK), 0xA5);
    booted_spawn(&booted, 0, run_code, &code);
    assert_int_equal(machine_run(&booted.machine), MACHINE_DEADLOCK);
    assert_events(&booted, want);
    booted_release(&booted);
}

static void lock_in_pageable_memory_stops(void **state)
{
    static const char *const want[EVENTS] = {"mm.paged_access"};
    struct booted_kernel booted;
    struct driver_code code = {.program = "i0a0"};

    (void)state;
    booted_init_usual(&booted);
    code.lock = booted_block(&booted, MEMORY_PAGE_BYTES, 0);
    assert_true(memory_set(&booted.machine.memory, code.lock, 1,
        MEMORY_READ | MEMORY_WRITE, true));
    booted_run_to_stop(&booted, 0, run_code, &code);
    assert_events(&booted, want);
    assert_int_equal(booted.kernel.bugcheck.code, 0xD1);
    booted_release(&booted);
}

enum { MANY = 40 };

static void take_and_give_many(void *argument)
{
    KSPIN_LOCK *lock = argument;

    KfRaiseIrql(2);
    for (unsigned i = 0; i < MANY; i++) {
        KeAcquireSpinLockAtDpcLevel(&lock[i]);
    }
    for (unsigned i = 0; i < MANY; i++) {
        KeReleaseSpinLockFromDpcLevel(&lock[i]);
    }
    KeLowerIrql(0);
}

static void many_locks_at_once_are_all_known(void **state)
{
    static const KSPIN_LOCK free_locks[MANY] = {0};
    static const char *const none[EVENTS] = {NULL};
    struct booted_kernel booted;
    KSPIN_LOCK *lock;

    (void)state;
    booted_init_usual(&booted);
    lock = booted_block(&booted, MANY * sizeof(*lock), 0);
    booted_run(&booted, 0, take_and_give_many, lock);
    assert_memory_equal(lock, free_locks, sizeof(free_locks));
    assert_events(&booted, none);
    booted_release(&booted);
}

/* The first processor's locks are on its own stack. */
struct on_stack {
    struct driver_code *first, *second;
};

static void run_on_stack(void *argument)
{
    struct on_stack *both = argument;
    KSPIN_LOCK *lock = strand_guest_stack(kernel_current()->machine);

    memset(lock, 0, LOCKS * sizeof(*lock));
    both->first->lock = both->second->lock = lock;
    run_code(both->first);
}

static void lock_on_a_stack_is_waited_for(void **state)
{
    static const char *const none[EVENTS] = {NULL};
    struct booted_kernel booted;
    struct driver_code first = {.program = "a0k5000r0k5000"};
    struct driver_code second = {.program = "k10a0r0"};
    struct on_stack both = {&first, &second};

    (void)state;
    booted_init_usual(&booted);
    booted_spawn(&booted, 0, run_on_stack, &both);
    booted_spawn(&booted, 1, run_code, &second);
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    assert_true(second.ended > 5000 && second.ended < first.ended);
    assert_events(&booted, none);
    booted_release(&booted);
}

static void acquire_null(void *argument)
{
    (void)argument;
    KeAcquireSpinLockRaiseToDpc(NULL);
}

static void catch_null(void *argument)
{
    struct exception_record *record = argument;

    if (!booted_catch(acquire_null, NULL, record)) {
        record->code = STATUS_SUCCESS;
    }
}

static void null_is_an_exception_at_the_callers_level(void **state)
{
    struct booted_kernel booted;
    struct exception_record record = {.code = 0};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, catch_null, &record);
    assert_int_equal((uint32_t)record.code, 0xC0000005);
    assert_int_equal(irql_current(&booted.kernel, booted_cpu(&booted, 0)), 0);
    booted_release(&booted);
}

/* Driver code that ends with what it holds, and the reports about it. */
struct leaver {
    struct driver_code code;
    struct booted_kernel *booted;
};

static void leave_and_report(void *argument)
{
    struct leaver *leaver = argument;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    static const struct driver other = {.name = "other"};

    run_code(&leaver->code);
    spinlock_leaks.report(kernel, cpu, &other);
    if (kernel->rules.count == 0) {
        spinlock_leaks.report(kernel, cpu, &leaver->booted->driver);
        spinlock_leaks.report(kernel, cpu, &leaver->booted->driver);
    }
}

static struct leak_row {
    const char *name;
    const char *program;
    const char *want_event[EVENTS];
    const char *want_routine;
} leak_rows[] = {
    {"nothing_is_left", "a0r0", {NULL}, NULL},
    {"one_of_two_is_left", "a0a1r1", {"leak.spin_lock"},
        "KeAcquireSpinLockRaiseToDpc"},
    {"both_are_left", "+2d0d1", {"leak.spin_lock", "leak.spin_lock"},
        "KeAcquireSpinLockAtDpcLevel"},
};

static void leak_row(void **state)
{
    const struct leak_row *row = *state;
    struct booted_kernel booted;
    struct leaver leaver = {
        .code = {.program = row->program}, .booted = &booted};

    booted_init_usual(&booted);
    leaver.code.lock = two_locks(&booted);
    booted_run(&booted, 0, leave_and_report, &leaver);
    assert_events(&booted, row->want_event);
    for (size_t i = 0; i < booted.kernel.rules.count; i++) {
        assert_string_equal(
            routine_rows[booted.kernel.rules.event[i].routine].name,
            row->want_routine);
    }
    booted_release(&booted);
}

TEST_FILE(test_spinlock)
{
    TEST_ADD_ROWS(list, end_row, end_rows);
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    TEST_ADD_ROWS(list, two_row, two_rows);
    test_add(list, "order_of_locks_without_steps_names_their_kinds",
        order_of_locks_without_steps_names_their_kinds, NULL);
    test_add(list, "lock_that_was_not_initialised_is_reported_and_never_free",
        lock_that_was_not_initialised_is_reported_and_never_free, NULL);
    test_add(list, "lock_in_pageable_memory_stops",
        lock_in_pageable_memory_stops, NULL);
    test_add(list, "many_locks_at_once_are_all_known",
        many_locks_at_once_are_all_known, NULL);
    test_add(list, "lock_on_a_stack_is_waited_for",
        lock_on_a_stack_is_waited_for, NULL);
    test_add(list, "null_is_an_exception_at_the_callers_level",
        null_is_an_exception_at_the_callers_level, NULL);
    TEST_ADD_ROWS(list, leak_row, leak_rows);
}
