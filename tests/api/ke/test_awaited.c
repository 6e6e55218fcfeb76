/* test_awaited.c - what is said of a thread that does not go on: what it waits
 * for, and who has that. */
#include "api/ke/awaited.h"

#include "api/boot/exports.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"
#include "api/ke/spinlock.h"
#include "tests/api/booted_kernel.h"

enum { OBJECTS = 6 };

/* In the driver's memory. */
struct scene {
    const struct awaited_row *row;
    void *object[OBJECTS];
    void **list; /* the same, for routines that are given several */
    uint8_t *blocks;
    LARGE_INTEGER *while_held;
    HANDLE *handle;
    struct strand *waiter;
};

static struct scene *scene;

static void make_events(void)
{
    for (unsigned i = 0; i < OBJECTS; i++) {
        KeInitializeEvent(scene->object[i], NotificationEvent, 0);
    }
}

static void wait_for_event(void)
{
    KeWaitForSingleObject(scene->object[0], Executive, 0, 0, NULL);
}

static void wait_for_any(void)
{
    KeWaitForMultipleObjects(
        2, scene->list, WaitAny, Executive, 0, 0, NULL, NULL);
}

static void wait_for_all(void)
{
    KeWaitForMultipleObjects(
        3, scene->list, WaitAll, Executive, 0, 0, NULL, NULL);
}

static void wait_for_many(void)
{
    KeWaitForMultipleObjects(
        OBJECTS, scene->list, WaitAll, Executive, 0, 0, NULL, scene->blocks);
}

static void wait_for_four(void)
{
    KeWaitForMultipleObjects(
        4, scene->list, WaitAny, Executive, 0, 0, NULL, scene->blocks);
}

static void make_semaphore(void)
{
    KeInitializeSemaphore(scene->object[0], 0, 1);
}

static void own_mutex(void)
{
    KeInitializeMutex(scene->object[0], 0);
    wait_for_event();
}

static void own_mutex_in_step(void)
{
    thread_current(kernel_current())->step = 2;
    own_mutex();
}

static void make_free_mutex(void)
{
    KeInitializeMutex(scene->object[0], 0);
    KeInitializeEvent(scene->object[1], NotificationEvent, 0);
}

static void hold_spin_lock(void)
{
    KeInitializeSpinLock(scene->object[0]);
    KeAcquireSpinLockRaiseToDpc(scene->object[0]);
}

static void hold_spin_lock_in_step(void)
{
    thread_current(kernel_current())->step = 2;
    hold_spin_lock();
}

/* As code would have done that is in an image no more. */
static void hold_spin_lock_by_code(void)
{
    hold_spin_lock();
    kernel_current()->spinlocks->hold[0].place = 1;
}

static void spin(void)
{
    KeAcquireSpinLockRaiseToDpc(scene->object[0]);
}

static void hold_queued_spin_lock(void)
{
    KeInitializeSpinLock(scene->object[0]);
    KeAcquireInStackQueuedSpinLock(scene->object[0], scene->object[1]);
}

static void wait_for_queued_spin_lock(void)
{
    KeAcquireInStackQueuedSpinLock(scene->object[0], scene->object[2]);
}

static void make_event_and_free_mutex(void)
{
    KeInitializeEvent(scene->object[0], NotificationEvent, 0);
    KeInitializeMutex(scene->object[1], 0);
}

static void wait_for_both(void)
{
    KeWaitForMultipleObjects(
        2, scene->list, WaitAll, Executive, 0, 0, NULL, NULL);
}

static void protect(void)
{
    ExInitializeRundownProtection(scene->object[0]);
    ExAcquireRundownProtectionEx(scene->object[0], 3);
}

static void wait_for_rundown(void)
{
    ExWaitForRundownProtectionRelease(scene->object[0]);
}

static void have_owner_pointer(void)
{
    KeEnterCriticalRegion();
    ExInitializeResourceLite(scene->object[0]);
    ExAcquireResourceExclusiveLite(scene->object[0], 1);
    ExSetResourceOwnerPointer(scene->object[0], (PVOID)0x1003);
}

static void wait_for_resource(void)
{
    KeEnterCriticalRegion();
    ExAcquireResourceExclusiveLite(scene->object[0], 1);
}

static void NTAPI hold_mutex_in_thread(PVOID context)
{
    (void)context;
    wait_for_event();
    KeWaitForSingleObject(scene->object[1], Executive, 0, 0, NULL);
}

/* The thread of the system is the third. */
static void have_thread_own_mutex(void)
{
    make_free_mutex();
    PsCreateSystemThread(
        scene->handle, 0, NULL, NULL, NULL, hold_mutex_in_thread, NULL);
}

/* held: what the first thread does, which ends then; wait: what the one does
 * of which `want` is said. */
static struct awaited_row {
    const char *name;
    void (*held)(void);
    void (*wait)(void);
    const char *want;
} awaited_rows[] = {
    {"event", make_events, wait_for_event,
        "sampler waits for a notification event"},
    {"any", make_events, wait_for_any,
        "sampler waits for a notification event or a notification event"},
    {"all", make_events, wait_for_all,
        "sampler waits for a notification event and a notification event and a "
        "notification event"},
    {"as_many_as_are_shown", make_events, wait_for_four,
        "sampler waits for a notification event or a notification event or a "
        "notification event or a notification event"},
    {"more_than_are_shown", make_events, wait_for_many,
        "sampler waits for a notification event and a notification event and a "
        "notification event and a notification event and 2 more"},
    {"semaphore", make_semaphore, wait_for_event,
        "sampler waits for a semaphore"},
    {"mutex", own_mutex, wait_for_event,
        "sampler waits for a mutex, which sampler took"},
    {"spin_lock", hold_spin_lock, spin,
        "sampler spins for a spin lock, which cpu 0 took"},
    {"spin_lock_of_a_step", hold_spin_lock_in_step, spin,
        "sampler spins for a spin lock, which cpu 0 took in step 3.b"},
    {"spin_lock_of_code", hold_spin_lock_by_code, spin,
        "sampler spins for a spin lock, which cpu 0 took at an address in no "
        "image"},
    {"queued_spin_lock", hold_queued_spin_lock, wait_for_queued_spin_lock,
        "sampler waits for a queued spin lock, which cpu 0 took"},
    {"mutex_that_is_free", make_event_and_free_mutex, wait_for_both,
        "sampler waits for a notification event and a mutex"},
    {"rundown", protect, wait_for_rundown,
        "sampler waits for run-down protection with 3 acquires left"},
    {"owner_pointer", have_owner_pointer, wait_for_resource,
        "sampler waits for a resource, which an owner pointer has"},
    {"mutex_of_a_step", own_mutex_in_step, wait_for_event,
        "sampler waits for a mutex, which sampler took in step 3.b"},
    {"thread_of_the_system", have_thread_own_mutex, wait_for_event,
        "sampler waits for a mutex, which thread 16 of sampler took"},
};

static const char *name_step(const void *context, uint32_t step)
{
    const char *const *names = context;

    return names[step];
}

static void hold(void *argument)
{
    (void)argument;
    KeGetCurrentThread();
    scene->row->held();
}

static void wait(void *argument)
{
    (void)argument;
    scene->waiter = strand_current(kernel_current()->machine);
    KeDelayExecutionThread(0, 0, scene->while_held);
    scene->row->wait();
}

/* Runs the row's threads until nobody goes on, and writes what is said. */
static void run_row(const struct awaited_row *row, char *text, size_t size)
{
    struct scene made = {.row = row};
    static const char *const names[] = {"none", "3.a", "3.b"};
    const struct step_names steps = {name_step, names};
    struct booted_kernel booted;

    scene = &made;
    booted_init_usual(&booted);
    made.list = booted_block(&booted, sizeof(made.object), 0);
    made.blocks = booted_block(&booted, (size_t)OBJECTS * 48, 0);
    made.handle = booted_block(&booted, sizeof(HANDLE), 0);
    made.while_held = booted_block(&booted, sizeof(LARGE_INTEGER), 0);
    made.while_held->QuadPart = -10000;
    for (unsigned i = 0; i < OBJECTS; i++) {
        made.object[i] = booted_block(&booted, 256, 0);
        made.list[i] = made.object[i];
    }
    booted_spawn(&booted, 0, hold, NULL);
    booted_spawn(&booted, 1, wait, NULL);
    assert_int_equal(machine_run(&booted.machine), MACHINE_DEADLOCK);
    assert_true(awaited_text(&booted.kernel, made.waiter, &steps, text, size));
    booted_release(&booted);
}

static void awaited_row(void **state)
{
    const struct awaited_row *row = *state;
    char text[AWAITED_BYTES];

    run_row(row, text, sizeof(text));
    assert_string_equal(text, row->want);
}

/* What is said first keeps its place, and nothing is written behind the room.
 */
static struct room_row {
    const char *name;
    size_t room;
    const char *want;
} room_rows[] = {
    {"in_the_last_words", 26, "sampler waits for a notif"},
    {"before_the_last_words", 12, "sampler wai"},
    {"in_the_name", 4, "sam"},
    {"none", 1, ""},
};

static void room_row(void **state)
{
    const struct room_row *row = *state;
    char text[AWAITED_BYTES];

    memset(text, 'x', sizeof(text));
    run_row(&awaited_rows[0], text, row->room);
    assert_string_equal(text, row->want);
    for (size_t i = row->room; i < sizeof(text); i++) {
        assert_int_equal(text[i], 'x');
    }
}

struct asked {
    LARGE_INTEGER *interval;
    struct strand *delayed;
    bool known, itself, itself_as_thread;
    char of_delayed[AWAITED_BYTES], of_itself[AWAITED_BYTES];
};

static bool ask_of(struct strand *strand, char *text)
{
    const struct step_names steps = {name_step, NULL};

    return awaited_text(kernel_current(), strand, &steps, text, AWAITED_BYTES);
}

static void delay(void *argument)
{
    struct asked *asked = argument;

    asked->delayed = strand_current(kernel_current()->machine);
    KeDelayExecutionThread(0, 0, asked->interval);
}

static void ask(void *argument)
{
    struct asked *asked = argument;
    struct strand *self = strand_current(kernel_current()->machine);

    asked->itself = ask_of(self, asked->of_itself);
    KeGetCurrentThread();
    asked->itself_as_thread = ask_of(self, asked->of_itself);
    KeStallExecutionProcessor(10);
    asked->known = ask_of(asked->delayed, asked->of_delayed);
}

static void run_asked(struct asked *asked)
{
    struct booted_kernel booted;

    booted_init_usual(&booted);
    asked->interval = booted_block(&booted, sizeof(LARGE_INTEGER), 0);
    asked->interval->QuadPart = -10000;
    booted_spawn(&booted, 1, delay, asked);
    booted_run(&booted, 0, ask, asked);
    booted_release(&booted);
}

static void delay_is_a_wait_for_a_time(void **state)
{
    struct asked asked = {.known = false};

    (void)state;
    run_asked(&asked);
    assert_true(asked.known);
    assert_string_equal(asked.of_delayed, "sampler waits for a time");
}

static void nothing_is_said_of_one_that_runs(void **state)
{
    struct asked asked = {.of_itself = "x"};

    (void)state;
    run_asked(&asked);
    assert_false(asked.itself);
    assert_false(asked.itself_as_thread);
    assert_string_equal(asked.of_itself, "");
}

TEST_FILE(test_awaited)
{
    TEST_ADD_ROWS(list, awaited_row, awaited_rows);
    TEST_ADD_GROUP(list, "room", room_row, room_rows);
    test_add(
        list, "delay_is_a_wait_for_a_time", delay_is_a_wait_for_a_time, NULL);
    test_add(list, "nothing_is_said_of_one_that_runs",
        nothing_is_said_of_one_that_runs, NULL);
}
