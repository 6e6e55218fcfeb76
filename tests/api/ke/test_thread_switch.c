/* test_thread_switch.c - who accounts for a thread is told when it loses its
 * processor, why, and when it gets one; of other threads nothing. */
#include "api/ke/thread_switch.h"

#include "api/boot/exports.h"
#include "api/ke/kthread.h"
#include "tests/api/booted_kernel.h"

enum { WATCHERS = 2 };

static struct told {
    unsigned out, in;
    enum switch_reason reason;
} told;

static void note_out(struct kernel *kernel, struct kthread *thread,
    struct cpu *cpu, enum switch_reason reason)
{
    (void)kernel;
    (void)thread;
    (void)cpu;
    told.out++;
    told.reason = reason;
}

static void note_in(
    struct kernel *kernel, struct kthread *thread, struct cpu *cpu)
{
    (void)kernel;
    (void)thread;
    (void)cpu;
    told.in++;
}

static const struct switch_watcher watcher = {note_out, note_in};
static const struct switch_watcher *const watchers[WATCHERS + 1] = {
    &watcher, &watcher, NULL};

static struct switch_row {
    const char *name;
    bool watched, delays;
    KWAIT_REASON reason; /* given where it waits for an event */
    unsigned want;       /* how often they are told, of both */
    unsigned want_reason;
} switch_rows[] = {
    {"thread_waits_for_a_user", true, false, 6, 2, 6},
    {"highest_reason", true, false, 63, 2, 63},
    {"reason_behind_the_highest_is_executive", true, false, 64, 2, 0},
    {"negative_reason_is_executive", true, false, (KWAIT_REASON)-1, 2, 0},
    {"thread_delays", true, true, 0, 2, 4},
    {"nobody_asks_of_a_thread_that_waits", false, false, 6, 0, 0},
    {"nobody_asks_of_a_thread_that_delays", false, true, 0, 0, 0},
};

struct switching {
    const struct switch_row *row;
    KEVENT *event;
    LARGE_INTEGER *until;
    NTSTATUS status;
};

static void wait_once(void *argument)
{
    struct switching *switching = argument;
    const struct switch_row *row = switching->row;

    KeInitializeEvent(switching->event, NotificationEvent, 0);
    kthread_current(kernel_current())->watched = row->watched;
    switching->status = row->delays
                            ? KeDelayExecutionThread(0, 0, switching->until)
                            : KeWaitForSingleObject(switching->event,
                                  row->reason, 0, 0, switching->until);
}

static void switch_row(void **state)
{
    struct switching switching = {.row = *state};
    const LARGE_INTEGER until = {.QuadPart = -10000};
    struct booted_kernel booted;
    struct kernel_hooks hooks;

    booted_init_usual(&booted);
    hooks = *booted.kernel.hooks;
    hooks.switches = watchers;
    booted.kernel.hooks = &hooks;
    told = (struct told){.out = 0};
    switching.event = booted_block(&booted, sizeof(KEVENT), 0);
    switching.until = booted_copy(&booted, &until, sizeof(until));
    booted_run(&booted, 0, wait_once, &switching);
    assert_int_equal(switching.status,
        switching.row->delays ? STATUS_SUCCESS : STATUS_TIMEOUT);
    assert_int_equal(told.out, switching.row->want);
    assert_int_equal(told.in, switching.row->want);
    assert_int_equal(told.reason, switching.row->want_reason);
    booted_release(&booted);
}

TEST_FILE(test_thread_switch)
{
    TEST_ADD_ROWS(list, switch_row, switch_rows);
}
