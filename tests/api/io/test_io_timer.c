/* test_io_timer.c - a device's timer is due a second after it is started, and
 * each second from then on (TMR-35); any other DPC may stop it. */
#include "api/ke/clock.h"
#include "api/ke/timer.h"
#include "tests/api/io/io_scene.h"

enum { SECOND = 10000000 }; /* of 100 ns */

struct seconds {
    struct io_scene scene;
    KDPC *dpc; /* the driver's */
    uint64_t started, due, due_again, period, due_anew;
};

static const struct io_plan usual = {.device = {"\\Device\\Ticks"}};

static VOID NTAPI every_second(PDEVICE_OBJECT device, PVOID context)
{
    (void)device;
    (void)context;
}

static const struct timer *made_timer(
    struct kernel *kernel, PDEVICE_OBJECT device)
{
    IoInitializeTimer(device, (PVOID)(uintptr_t)every_second, NULL);
    return (const void *)io_device_any(kernel, device)->timer;
}

/* To start one that runs changes nothing. */
static void start_now(void *argument)
{
    struct seconds *seconds = argument;
    struct kernel *kernel = kernel_current();
    PDEVICE_OBJECT device = seconds->scene.notes.device[0];
    const struct timer *timer = made_timer(kernel, device);

    seconds->started = clock_interrupt_time(kernel);
    IoStartTimer(device);
    seconds->due = timer->due;
    seconds->period = timer->period;
    cpu_spin(kernel_cpu(kernel), UINT64_C(500000) * 2500);
    IoStartTimer(device);
    seconds->due_again = timer->due;
    IoStopTimer(device);
    IoStartTimer(device);
    seconds->due_anew = timer->due - clock_interrupt_time(kernel);
    IoStopTimer(device);
}

static void timer_of_a_device_counts_seconds(void **state)
{
    struct seconds seconds;

    (void)state;
    scene_init(&seconds.scene, &usual);
    scene_load(&seconds.scene);
    booted_run(&seconds.scene.booted, 0, start_now, &seconds);
    assert_int_equal(seconds.due - seconds.started, SECOND);
    assert_int_equal(seconds.period, SECOND);
    assert_int_equal(seconds.due_again, seconds.due);
    assert_int_equal(seconds.due_anew, SECOND);
    assert_int_equal(seconds.scene.booted.kernel.rules.count, 0);
    scene_release(&seconds.scene);
}

static VOID NTAPI stop_in_dpc(
    PKDPC dpc, PVOID device, PVOID first, PVOID second)
{
    (void)dpc;
    (void)first;
    (void)second;
    IoStopTimer(device);
}

/* The DPC is not the timer's own, whose routine does not run. */
static void stop_elsewhere_now(void *argument)
{
    struct seconds *seconds = argument;
    struct kernel *kernel = kernel_current();
    PDEVICE_OBJECT device = seconds->scene.notes.device[0];
    const struct timer *timer = made_timer(kernel, device);

    IoStartTimer(device);
    seconds->due = timer->active;
    KeInitializeDpc(seconds->dpc, stop_in_dpc, device);
    KeInsertQueueDpc(seconds->dpc, NULL, NULL);
    cpu_spin(kernel_cpu(kernel), 1000000);
    cpu_checkpoint(kernel_cpu(kernel));
    seconds->due_again = timer->active;
}

static void timer_may_be_stopped_by_another_dpc(void **state)
{
    struct seconds seconds;
    struct booted_kernel *booted = &seconds.scene.booted;

    (void)state;
    scene_init(&seconds.scene, &usual);
    scene_load(&seconds.scene);
    seconds.dpc = booted_block(booted, sizeof(*seconds.dpc), 0);
    booted_run(booted, 0, stop_elsewhere_now, &seconds);
    assert_int_equal(seconds.due, true);
    assert_int_equal(seconds.due_again, false);
    assert_int_equal(booted->kernel.rules.count, 0);
    scene_release(&seconds.scene);
}

TEST_FILE(test_io_timer)
{
    test_add(list, "timer_of_a_device_counts_seconds",
        timer_of_a_device_counts_seconds, NULL);
    test_add(list, "timer_may_be_stopped_by_another_dpc",
        timer_may_be_stopped_by_another_dpc, NULL);
}
