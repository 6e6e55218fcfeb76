/* test_wait.c - a thread that waits inside of the kernel: its level, and that
 * of the processor which it leaves to others. */
#include "api/boot/exports.h"
#include "api/ke/wait.h"
#include "tests/api/booted_kernel.h"

struct meeting {
    bool come; /* what is waited for */
    bool over; /* the wait */
    KIRQL during, after;
    const struct strand *waiting;
    const void *waits_for; /* as others see it meanwhile */
};

static bool has_come(void *context)
{
    return ((const struct meeting *)context)->come;
}

static void wait_at_apc_level(void *argument)
{
    struct meeting *meeting = argument;

    KfRaiseIrql(1);
    meeting->waiting = strand_current(kernel_current()->machine);
    wait_until(kernel_current(), has_come, meeting);
    meeting->after = KeGetCurrentIrql();
    meeting->over = true;
}

static void come(void *argument)
{
    struct meeting *meeting = argument;

    meeting->during = KeGetCurrentIrql();
    meeting->waits_for = wait_context(meeting->waiting);
    meeting->come = true;
}

static void raise_and_come(void *argument)
{
    KfRaiseIrql(2);
    come(argument);
}

static void level_goes_with_the_thread_and_comes_back(void **state)
{
    struct booted_kernel booted;
    struct meeting meeting = {.come = false};

    (void)state;
    booted_init_usual(&booted);
    booted_spawn(&booted, 0, wait_at_apc_level, &meeting);
    booted_run(&booted, 0, come, &meeting);
    assert_true(meeting.over);
    assert_ptr_equal(meeting.waits_for, &meeting);
    assert_int_equal(meeting.during, 0);
    assert_int_equal(meeting.after, 1);
    booted_release(&booted);
}

static void processor_that_was_raised_meanwhile_is_nobodys(void **state)
{
    struct booted_kernel booted;
    struct meeting meeting = {.come = false};

    (void)state;
    booted_init_usual(&booted);
    booted_spawn(&booted, 0, wait_at_apc_level, &meeting);
    booted_spawn(&booted, 0, raise_and_come, &meeting);
    assert_int_equal(machine_run(&booted.machine), MACHINE_DEADLOCK);
    assert_int_equal(irql_current(&booted.kernel, booted_cpu(&booted, 0)), 2);
    assert_false(meeting.over);
    booted_release(&booted);
}

/* Where IRQL-GEN-01 is flipped. */
struct spin {
    struct meeting meeting;
    bool over_when_other_ran;
};

static void wait_at_dispatch_level(void *argument)
{
    struct spin *spin = argument;
    struct kernel *kernel = kernel_current();

    KfRaiseIrql(2);
    spin->meeting.waiting = strand_current(kernel->machine);
    wait_until(kernel, has_come, &spin->meeting);
    spin->meeting.after = KeGetCurrentIrql();
    spin->meeting.over = true;
    KeLowerIrql(0);
}

static void note_whether_over(void *argument)
{
    struct spin *spin = argument;

    spin->over_when_other_ran = spin->meeting.over;
}

static void look_and_come(void *argument)
{
    struct spin *spin = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    cpu_spend(cpu, 1000, 1);
    cpu_checkpoint(cpu);
    come(&spin->meeting);
}

static void thread_at_dispatch_level_waits_and_keeps_its_processor(void **state)
{
    struct booted_kernel booted;
    struct spin spin = {.over_when_other_ran = false};

    (void)state;
    booted_init_usual(&booted);
    booted_spawn(&booted, 0, wait_at_dispatch_level, &spin);
    booted_spawn(&booted, 0, note_whether_over, &spin);
    booted_run(&booted, 1, look_and_come, &spin);
    assert_ptr_equal(spin.meeting.waits_for, &spin.meeting);
    assert_true(spin.meeting.over);
    assert_int_equal(spin.meeting.after, 2);
    assert_true(spin.over_when_other_ran);
    booted_release(&booted);
}

TEST_FILE(test_wait)
{
    test_add(list, "level_goes_with_the_thread_and_comes_back",
        level_goes_with_the_thread_and_comes_back, NULL);
    test_add(list, "processor_that_was_raised_meanwhile_is_nobodys",
        processor_that_was_raised_meanwhile_is_nobodys, NULL);
    test_add(list, "thread_at_dispatch_level_waits_and_keeps_its_processor",
        thread_at_dispatch_level_waits_and_keeps_its_processor, NULL);
}
