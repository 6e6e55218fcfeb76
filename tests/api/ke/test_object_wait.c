/* test_object_wait.c - threads that wait for events: who goes on, in which
 * order, and when (WAIT-02, WAIT-16, WAIT-18), by ranks and processors. */
#include "api/ke/object_wait.h"

#include "api/boot/exports.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/ps/apc.h"
#include "tests/api/booted_kernel.h"

enum { WAITERS = 3, EVENTS = 2 };

struct waiter {
    struct scene *scene;
    unsigned number;
    NTSTATUS status;
};

struct scene {
    KEVENT *event[EVENTS];
    const struct wait_row *row;
    struct waiter waiter[WAITERS];
    char order[WAITERS + 1]; /* of those that went on */
    unsigned came, waiting;
};

/* events: for which each waits, all of them or any. setter: a letter each, s
 * sets the first event and S the second, p and P pulse them, - lets 1 ms pass.
 */
static struct wait_row {
    const char *name;
    EVENT_TYPE type;
    bool all;
    unsigned count;
    uint8_t priority[WAITERS];
    const char *setter;
    const char *want;
} wait_rows[] = {
    {"one_set_lets_the_first_go_on", SynchronizationEvent, false, 1, {8, 8, 8},
        "s-", "0"},
    {"each_set_lets_the_next_go_on", SynchronizationEvent, false, 1, {8, 8, 8},
        "s-s-s-", "012"},
    {"arrival_counts_and_not_the_priority", SynchronizationEvent, false, 1,
        {8, 12, 15}, "s-", "0"},
    {"all_go_on_by_priority", NotificationEvent, false, 1, {8, 12, 10}, "s-",
        "120"},
    {"all_go_on_in_order_of_arrival", NotificationEvent, false, 1, {8, 8, 8},
        "s-", "012"},
    {"pulse_of_one_kind_takes_all", NotificationEvent, false, 1, {8, 8, 8},
        "p-", "012"},
    {"pulse_of_the_other_takes_one", SynchronizationEvent, false, 1, {8, 8, 8},
        "p-", "0"},
    {"all_of_two_need_both", SynchronizationEvent, true, 2, {8, 8, 8}, "s-s-",
        ""},
    {"all_of_two_go_on_with_the_second", SynchronizationEvent, true, 2,
        {8, 8, 8}, "s-S-", "0"},
    {"all_of_two_are_not_there_at_two_times", SynchronizationEvent, true, 2,
        {8, 8, 8}, "p-S-", ""},
    {"any_of_two_is_enough", SynchronizationEvent, false, 2, {8, 8, 8}, "S-s-",
        "01"},
};

static void wait_in_scene(void *argument)
{
    struct waiter *waiter = argument;
    struct scene *scene = waiter->scene;
    const struct wait_row *row = scene->row;
    struct kernel *kernel = kernel_current();
    struct dispatch_object *object[EVENTS];
    const struct wait_until until = {.limit = WAIT_TO_TICK, .tick = 50};

    kthread_set_priority(
        kernel, kthread_current(kernel), row->priority[waiter->number]);
    for (unsigned i = 0; i < row->count; i++) {
        object[i] = dispatch_object_find(kernel, (uintptr_t)scene->event[i]);
    }
    waiter->status = object_wait(kernel, object, row->count,
        row->all ? WAIT_HOW_ALL : WAIT_HOW_ANY, &until, SWITCH_EXECUTIVE);
    if (waiter->status != STATUS_TIMEOUT) {
        scene->order[scene->came++] = (char)('0' + waiter->number);
    }
}

static void pass(uint64_t cycles)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    cpu_spin(cpu, cycles);
    cpu_checkpoint(cpu);
}

static void set_in_scene(void *argument)
{
    struct scene *scene = argument;

    for (unsigned i = 0; i < EVENTS; i++) {
        KeInitializeEvent(scene->event[i], scene->row->type, 0);
    }
    pass(100000);
    for (const char *step = scene->row->setter; *step != '\0'; step++) {
        PVOID event = scene->event[*step == 'S' || *step == 'P'];

        if (*step == '-') {
            pass(2500000);
        } else if (*step == 's' || *step == 'S') {
            KeSetEvent(event, 0, 0);
        } else {
            KePulseEvent(event, 0, 0);
        }
    }
}

/* Comes to processor 0 with the events there, in the order of the numbers. */
static void start_waiters(void *argument)
{
    struct scene *scene = argument;
    struct kernel *kernel = kernel_current();

    pass(5000);
    for (unsigned i = 0; i < WAITERS; i++) {
        scene->waiter[i] = (struct waiter){.scene = scene, .number = i};
        strand_spawn(kernel_cpu(kernel), wait_in_scene, &scene->waiter[i],
            strand_current(kernel->machine)->owner);
    }
}

static void wait_row(void **state)
{
    struct scene scene = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    for (unsigned i = 0; i < EVENTS; i++) {
        scene.event[i] = booted_block(&booted, sizeof(KEVENT), 0);
    }
    booted_spawn(&booted, 1, set_in_scene, &scene);
    booted_run(&booted, 0, start_waiters, &scene);
    assert_string_equal(scene.order, scene.row->want);
    for (unsigned i = 0; i < WAITERS; i++) {
        assert_int_equal(scene.waiter[i].status == STATUS_TIMEOUT,
            strchr(scene.row->want, (char)('0' + i)) == NULL);
    }
    booted_release(&booted);
}

/* Of APCs that have come. */
static struct apcs {
    unsigned now, before; /* the wait was over */
} apcs;

static void NTAPI count_apc(PVOID argument)
{
    (void)argument;
    apcs.now++;
}

/* For what is there already, behind a region that was left without a look. */
static void wait_with_apc_queued(void *event)
{
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);
    const struct apc apc = {.kind = APC_NORMAL,
        .driver = thread->driver,
        .routine = (uintptr_t)count_apc};

    KeInitializeEvent(event, NotificationEvent, 1);
    thread->special_apcs--;
    apc_queue(kernel, thread, &apc);
    thread->special_apcs++;
    KeWaitForSingleObject(event, Executive, 0, 0, NULL);
    apcs.before = apcs.now;
}

static void what_was_held_back_runs_before_the_wait(void **state)
{
    struct booted_kernel booted;

    (void)state;
    apcs = (struct apcs){.now = 0};
    booted_init_usual(&booted);
    booted_run(&booted, 0, wait_with_apc_queued,
        booted_block(&booted, sizeof(KEVENT), 0));
    assert_int_equal(apcs.before, 1);
    booted_release(&booted);
}

TEST_FILE(test_object_wait)
{
    TEST_ADD_ROWS(list, wait_row, wait_rows);
    test_add(list, "what_was_held_back_runs_before_the_wait",
        what_was_held_back_runs_before_the_wait, NULL);
}
