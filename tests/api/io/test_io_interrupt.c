/* test_io_interrupt.c - a connected interrupt to the cycle: how long its
 * routine and its lock may take, at which levels, and what a BOOLEAN is. */
#include "api/io/interrupt_object.h"
#include "tests/api/io/io_scene.h"

enum {
    MICROSECONDS_25 = 25 * 2500, /* cycles */
    LINE_LEVEL = 5,              /* of the first line, whose vector is 0x51 */
    OWN_LEVEL = 9,
};

/* IO_CONNECT_INTERRUPT_PARAMETERS, line based; its beginning is
 * IO_DISCONNECT_INTERRUPT_PARAMETERS. */
struct connecting {
    uint64_t version, device, object, routine, context, lock;
    uint8_t synchronize_irql;
};

struct wired {
    struct io_scene scene;
    struct connecting *connecting;
    uint64_t *object; /* the driver's variable */
    uint64_t spins;   /* cycles that the routine takes */
    uint64_t answers; /* RAX of the routine */
    uint8_t asks_at;  /* level of the caller */
    uint8_t given, inside, behind;
    unsigned calls;
    BOOLEAN returned;
};

static const struct io_plan usual = {
    .device = {"\\Device\\Wired", "\\Device\\Other"}};
static struct wired *wired_now;

static uint64_t NTAPI routine(uint64_t first, uint64_t second, uint64_t third,
    uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    (void)first;
    (void)second;
    (void)third;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    wired_now->calls++;
    wired_now->inside = irql_current(kernel_current(), cpu);
    if (wired_now->spins > 0) {
        cpu_spin(cpu, wired_now->spins);
    }
    return wired_now->answers;
}

static void connect(struct wired *wired)
{
    code_function *code = routine;

    *wired->connecting = (struct connecting){.version = 2,
        .device = (uintptr_t)wired->scene.notes.device[0],
        .object = (uintptr_t)wired->object,
        .routine = (uintptr_t)code,
        .synchronize_irql = OWN_LEVEL};
    wired->scene.status = IoConnectInterruptEx(wired->connecting);
}

static void disconnect(struct wired *wired)
{
    wired->connecting->device = *wired->object;
    IoDisconnectInterruptEx(wired->connecting);
}

/* At the caller's level, and back. */
static void at_level(struct wired *wired, void (*does)(struct wired *wired))
{
    KIRQL before;

    connect(wired);
    before = KfRaiseIrql(wired->asks_at);
    does(wired);
    wired->behind = KeGetCurrentIrql();
    KeLowerIrql(before);
    disconnect(wired);
}

static void synchronize(struct wired *wired)
{
    code_function *code = routine;

    wired->returned = KeSynchronizeExecution(
        (PVOID)(uintptr_t)*wired->object, (PVOID)(uintptr_t)code, NULL);
}

static void take(struct wired *wired)
{
    PVOID object = (PVOID)(uintptr_t)*wired->object;

    wired->given = KeAcquireInterruptSpinLock(object);
    wired->inside = KeGetCurrentIrql();
    KeReleaseInterruptSpinLock(object, wired->given);
}

/* As if the line had been raised. */
static void serve(struct wired *wired)
{
    struct kernel *kernel = kernel_current();

    (void)wired;
    interrupt_object_service(kernel, kernel_cpu(kernel), 0);
}

static void synchronize_now(void *argument)
{
    at_level(argument, synchronize);
}

static void take_now(void *argument)
{
    at_level(argument, take);
}

static void serve_now(void *argument)
{
    at_level(argument, serve);
}

static void wired_init(struct wired *wired)
{
    scene_init(&wired->scene, &usual);
    scene_load(&wired->scene);
    wired->connecting =
        booted_block(&wired->scene.booted, sizeof(*wired->connecting), 0);
    wired->object =
        booted_block(&wired->scene.booted, sizeof(*wired->object), 0);
    wired_now = wired;
}

static struct long_row {
    const char *name;
    void (*runs)(void *argument);
    uint64_t spins;
    enum rule rule;
    unsigned broken;
} long_rows[] = {
    {"routine_of_25_microseconds", serve_now, MICROSECONDS_25,
        RULE_INTERRUPT_LONG, 0},
    {"routine_of_a_cycle_more", serve_now, MICROSECONDS_25 + 1,
        RULE_INTERRUPT_LONG, 1},
    {"lock_for_25_microseconds", synchronize_now, MICROSECONDS_25,
        RULE_LOCK_HELD_LONG, 0},
    {"lock_for_a_cycle_more", synchronize_now, MICROSECONDS_25 + 1,
        RULE_LOCK_HELD_LONG, 1},
};

static void long_row(void **state)
{
    const struct long_row *row = *state;
    struct wired wired = {.spins = row->spins, .answers = 1};
    struct booted_kernel *booted = &wired.scene.booted;

    wired_init(&wired);
    booted_run(booted, 0, row->runs, &wired);
    assert_int_equal(wired.calls, 1);
    assert_int_equal(booted->kernel.rules.count, row->broken);
    assert_int_equal(booted_broken(booted, row->rule), row->broken);
    scene_release(&wired.scene);
}

/* It goes back to where it was. */
static struct level_row {
    const char *name;
    void (*runs)(void *argument);
    uint8_t asks_at;
} level_rows[] = {
    {"lock_at_passive_level", take_now, 0},
    {"lock_at_dispatch_level", take_now, 2},
    {"lock_at_the_level_of_the_line", take_now, LINE_LEVEL},
    {"lock_at_its_own_level", take_now, OWN_LEVEL},
    {"code_at_passive_level", synchronize_now, 0},
    {"code_at_dispatch_level", synchronize_now, 2},
    {"code_at_its_own_level", synchronize_now, OWN_LEVEL},
    {"service_at_passive_level", serve_now, 0},
    {"service_at_dispatch_level", serve_now, 2},
};

static void level_row(void **state)
{
    const struct level_row *row = *state;
    struct wired wired = {
        .asks_at = row->asks_at, .given = row->asks_at, .answers = 1};

    wired_init(&wired);
    booted_run(&wired.scene.booted, 0, row->runs, &wired);
    assert_int_equal(wired.given, row->asks_at);
    assert_int_equal(wired.inside, OWN_LEVEL);
    assert_int_equal(wired.behind, row->asks_at);
    assert_int_equal(wired.scene.booted.kernel.rules.count, 0);
    scene_release(&wired.scene);
}

/* The lowest byte is the BOOLEAN. */
static struct answer_row {
    const char *name;
    uint64_t answers;
    BOOLEAN returned;
} answer_rows[] = {
    {"false", 0, 0},
    {"true", 1, 1},
    {"any_other_byte_is_true", 0x80, 1},
    {"what_is_above_the_byte_is_none", 0xFFFFFF00, 0},
    {"true_with_more_above_it", 0x101, 1},
};

static void answer_row(void **state)
{
    const struct answer_row *row = *state;
    struct wired wired = {.answers = row->answers};

    wired_init(&wired);
    booted_run(&wired.scene.booted, 0, synchronize_now, &wired);
    assert_int_equal(wired.returned, row->returned);
    scene_release(&wired.scene);
}

/* The lock of a second interrupt, taken with that of the first held. */
static struct both_row {
    const char *name;
    uint64_t lock, second_lock; /* of the driver's own; 0: none */
    bool stops;
} both_rows[] = {
    {"two_without_a_lock_of_the_driver", 0, 0, false},
    {"two_with_a_lock_each", 0x1000, 0x2000, false},
    {"one_with_a_lock_of_the_driver", 0x1000, 0, false},
    {"second_one_with_a_lock_of_the_driver", 0, 0x2000, false},
    {"two_with_one_lock", 0x1000, 0x1000, true},
};

static const struct both_row *both_now;

static PVOID connect_one(struct wired *wired, PDEVICE_OBJECT of, uint64_t lock)
{
    code_function *code = routine;

    *wired->connecting = (struct connecting){.version = 2,
        .device = (uintptr_t)of,
        .object = (uintptr_t)wired->object,
        .routine = (uintptr_t)code,
        .lock = lock,
        .synchronize_irql = OWN_LEVEL};
    IoConnectInterruptEx(wired->connecting);
    return (PVOID)(uintptr_t)*wired->object;
}

static void take_both_now(void *argument)
{
    struct wired *wired = argument;
    const PDEVICE_OBJECT *device = wired->scene.notes.device;
    PVOID first = connect_one(wired, device[0], both_now->lock);
    PVOID second = connect_one(wired, device[1], both_now->second_lock);
    KIRQL before = KeAcquireInterruptSpinLock(first);
    KIRQL inside = KeAcquireInterruptSpinLock(second);

    KeReleaseInterruptSpinLock(second, inside);
    KeReleaseInterruptSpinLock(first, before);
    wired->behind = KeGetCurrentIrql();
    wired->calls++;
}

static void both_row(void **state)
{
    struct wired wired = {.calls = 0};
    struct booted_kernel *booted = &wired.scene.booted;

    both_now = *state;
    wired_init(&wired);
    if (both_now->stops) {
        booted_run_to_stop(booted, 0, take_both_now, &wired);
        assert_int_equal(booted->kernel.bugcheck.code, 0x0F);
        assert_int_equal(booted_broken(booted, RULE_LOCK_RECURSIVE), 1);
    } else {
        booted_run(booted, 0, take_both_now, &wired);
        assert_int_equal(wired.calls, 1);
        assert_int_equal(wired.behind, 0);
        assert_int_equal(booted->kernel.rules.count, 0);
    }
    scene_release(&wired.scene);
}

static void look_now(void *argument)
{
    struct wired *wired = argument;

    connect(wired);
    wired->spins = memory_find(&kernel_current()->machine->memory,
        (const void *)(uintptr_t)*wired->object)
                       ->size;
    disconnect(wired);
}

/* A driver that looks into it is caught. */
static void interrupt_object_has_no_bytes(void **state)
{
    struct wired wired = {.spins = 1};

    (void)state;
    wired_init(&wired);
    booted_run(&wired.scene.booted, 0, look_now, &wired);
    assert_int_equal(wired.spins, 0);
    scene_release(&wired.scene);
}

TEST_FILE(test_io_interrupt)
{
    test_add(list, "interrupt_object_has_no_bytes",
        interrupt_object_has_no_bytes, NULL);
    TEST_ADD_ROWS(list, both_row, both_rows);
    TEST_ADD_ROWS(list, long_row, long_rows);
    TEST_ADD_ROWS(list, level_row, level_rows);
    TEST_ADD_ROWS(list, answer_row, answer_rows);
}
