/* test_timer_fine.c - a timer of high resolution comes at the first millisecond
 * when it is due, and never before (XTMR-06). */
#include "api/boot/exports.h"
#include "api/ke/clock.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/timer.h"
#include "tests/api/booted_kernel.h"

enum { UNIT_CYCLES = 250, MILLISECOND_CYCLES = 10000 * UNIT_CYCLES };

/* Set when 1 ms is over, to the unit of 100 ns. */
static struct fine_row {
    const char *name;
    LONGLONG due;
    uint64_t period;
    uint64_t want; /* when it comes first, or again, in such units */
} fine_rows[] = {
    {"due_at_a_millisecond_it_comes_then", -10000, 0, 20000},
    {"due_a_unit_before_it_comes_then", -9999, 0, 20000},
    {"due_a_unit_behind_it_comes_at_the_next", -10001, 0, 30000},
    {"due_at_once_it_comes_at_the_next", -1, 0, 20000},
    {"past_it_comes_again_with_its_period", 0, 5000, 20000},
    {"past_it_comes_again_a_millisecond_later", 0, 10000, 20000},
    {"past_it_comes_again_behind_a_millisecond", 0, 10001, 30000},
};

struct setting {
    const struct fine_row *row;
    KTIMER *timer;
    uint64_t now, tick;
    bool fine;
};

static void set_fine(void *argument)
{
    struct setting *setting = argument;
    const struct timer_set set = {
        .due = setting->row->due, .period = setting->row->period, .fine = true};
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct timer *timer;

    KeInitializeTimer(setting->timer);
    timer = dispatch_object_find(kernel, (uintptr_t)setting->timer)->of;
    cpu_spin(cpu, MILLISECOND_CYCLES - cpu->time);
    setting->now = cpu->time;
    timer_set(kernel, timer, &set);
    setting->tick = timer->clock.tick;
    setting->fine = timer->clock.fine;
    timer_cancel(kernel, timer);
}

static void fine_row(void **state)
{
    struct setting setting = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    setting.timer = booted_block(&booted, sizeof(*setting.timer), 0);
    booted_run(&booted, 0, set_fine, &setting);
    assert_int_equal(setting.now, MILLISECOND_CYCLES);
    assert_true(setting.fine);
    assert_int_equal(setting.tick, setting.row->want);
    booted_release(&booted);
}

/* Due at 2 ms, and its processor had no time for it until now. */
static struct late_row {
    const char *name;
    uint64_t period, now, want;
} late_rows[] = {
    {"period_that_ends_now_ends_at_the_next", 10000, 30000, 40000},
    {"period_that_is_over_ends_at_the_next", 5000, 29999, 30000},
};

struct lateness {
    const struct late_row *row;
    KTIMER *timer;
    uint64_t tick;
};

static void come_late(void *argument)
{
    struct lateness *late = argument;
    const struct timer_set set = {
        .due = -10000, .period = late->row->period, .fine = true};
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct timer *timer;

    KeInitializeTimer(late->timer);
    timer = dispatch_object_find(kernel, (uintptr_t)late->timer)->of;
    cpu_spin(cpu, MILLISECOND_CYCLES - cpu->time);
    timer_set(kernel, timer, &set);
    clock_timer_cancel(kernel, &timer->clock);
    cpu_spin(cpu, late->row->now * UNIT_CYCLES - cpu->time);
    timer->clock.expired(kernel, &timer->clock);
    late->tick = timer->clock.tick;
    timer_cancel(kernel, timer);
}

static void late_row(void **state)
{
    struct lateness late = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    late.timer = booted_block(&booted, sizeof(*late.timer), 0);
    booted_run(&booted, 0, come_late, &late);
    assert_int_equal(late.tick, late.row->want);
    booted_release(&booted);
}

TEST_FILE(test_timer_fine)
{
    TEST_ADD_ROWS(list, fine_row, fine_rows);
    TEST_ADD_ROWS(list, late_row, late_rows);
}
