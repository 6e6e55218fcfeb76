/* test_clock.c - timers by their tick: what is due first, equal ticks in order
 * of setting, and what is cancelled in the middle (TMR-14, WAIT-22). */
#include "api/ke/clock.h"

#include "tests/api/booted_kernel.h"

enum { TIMERS = 200, TICK_CYCLES = 15625 * 2500 };

struct counted_timer {
    struct clock_timer timer; /* first */
    uint64_t want;            /* the tick that it was set for */
    bool cancelled, came;
};

struct scene {
    struct counted_timer timer[TIMERS];
    unsigned count;
    uint64_t (*tick)(unsigned n);
    bool (*cancels)(unsigned n);
    unsigned order[TIMERS]; /* in which they came */
    unsigned came, early, still_set;
};

static struct scene *scene;

static void expired(struct kernel *kernel, struct clock_timer *timer)
{
    struct counted_timer *counted = (struct counted_timer *)timer;

    counted->came = true;
    scene->early +=
        clock_ticks_at(kernel, kernel_cpu(kernel)->time) < counted->want;
    scene->still_set += clock_timer_is_set(timer);
    scene->order[scene->came++] = (unsigned)(counted - scene->timer);
}

static void set_all(void *argument)
{
    struct kernel *kernel = kernel_current();

    (void)argument;
    for (unsigned n = 0; n < scene->count; n++) {
        struct counted_timer *counted = &scene->timer[n];

        counted->want = scene->tick(n);
        counted->timer.expired = expired;
        clock_timer_set(kernel, &counted->timer, counted->want);
    }
    for (unsigned n = 0; n < scene->count; n++) {
        if (scene->cancels(n)) {
            scene->timer[n].cancelled =
                clock_timer_cancel(kernel, &scene->timer[n].timer);
        }
    }
    cpu_spin(kernel_cpu(kernel), (uint64_t)TIMERS * TICK_CYCLES);
    cpu_checkpoint(kernel_cpu(kernel));
}

static uint64_t ascending(unsigned n)
{
    return 1 + n / 2;
}

static uint64_t descending(unsigned n)
{
    return TIMERS - n;
}

static uint64_t equal(unsigned n)
{
    (void)n;
    return 3;
}

static uint64_t scattered(unsigned n)
{
    return 1 + n * 73 % 97;
}

/* Eight of each, and ticks that are far from each other. */
static uint64_t in_runs(unsigned n)
{
    return 1 + n / 8 * 64 % 193;
}

static bool nobody(unsigned n)
{
    (void)n;
    return false;
}

static bool every_third(unsigned n)
{
    return n % 3 == 1;
}

static bool every_eighth(unsigned n)
{
    return n % 8 == 0;
}

/* Of two at each tick. */
static bool all_of_every_eighth_tick(unsigned n)
{
    return n / 2 % 8 == 1;
}

static bool all_but_the_last(unsigned n)
{
    return n != TIMERS - 1;
}

static struct clock_row {
    const char *name;
    uint64_t (*tick)(unsigned n);
    bool (*cancels)(unsigned n);
    unsigned want;
} clock_rows[] = {
    {"in_order", ascending, nobody, 200},
    {"against_the_order", descending, nobody, 200},
    {"all_at_one_tick", equal, nobody, 200},
    {"scattered", scattered, nobody, 200},
    {"some_cancelled", scattered, every_third, 133},
    {"first_ones_cancelled", ascending, all_but_the_last, 1},
    {"some_of_one_tick_cancelled", equal, every_third, 133},
    {"first_ones_of_ticks_cancelled", in_runs, every_eighth, 175},
    {"ticks_cancelled_amid_others", ascending, all_of_every_eighth_tick, 174},
    {"last_ones_cancelled", descending, all_but_the_last, 1},
    {"one_of_many_at_one_tick_is_left", equal, all_but_the_last, 1},
};

static void clock_row(void **state)
{
    const struct clock_row *row = *state;
    struct scene timers = {
        .count = TIMERS, .tick = row->tick, .cancels = row->cancels};
    struct booted_kernel booted;

    scene = &timers;
    booted_init_usual(&booted);
    booted_run(&booted, 0, set_all, NULL);
    assert_int_equal(timers.came, row->want);
    assert_int_equal(timers.early, 0);
    assert_int_equal(timers.still_set, 0);
    for (unsigned i = 0; i < TIMERS; i++) {
        assert_int_equal(timers.timer[i].cancelled, row->cancels(i));
        assert_int_equal(timers.timer[i].came, !row->cancels(i));
    }
    for (unsigned i = 1; i < timers.came; i++) {
        unsigned a = timers.order[i - 1], b = timers.order[i];

        assert_true(row->tick(a) < row->tick(b) ||
                    (row->tick(a) == row->tick(b) && a < b));
    }
    booted_release(&booted);
}

static void set_twice(void *argument)
{
    struct kernel *kernel = kernel_current();
    struct counted_timer *counted = &scene->timer[0];

    (void)argument;
    counted->timer.expired = expired;
    counted->want = 5;
    clock_timer_set(kernel, &counted->timer, 2);
    clock_timer_set(kernel, &counted->timer, 5);
    cpu_spin(kernel_cpu(kernel), UINT64_C(10) * TICK_CYCLES);
    cpu_checkpoint(kernel_cpu(kernel));
    scene->still_set += clock_timer_cancel(kernel, &counted->timer);
}

static void timer_that_is_set_again_comes_once(void **state)
{
    struct scene timers = {.count = 1};
    struct booted_kernel booted;

    (void)state;
    scene = &timers;
    booted_init_usual(&booted);
    booted_run(&booted, 0, set_twice, NULL);
    assert_int_equal(timers.came, 1);
    assert_int_equal(timers.early, 0);
    assert_int_equal(timers.still_set, 0);
    booted_release(&booted);
}

enum { OF_A_TICK = 20 };

/* While the timers of one tick expire, the host fetches those of the next. */
static struct ahead_row {
    const char *name;
    unsigned at;    /* the expiry of this timer cancels */
    unsigned other; /* that one, of the next tick */
} ahead_rows[] = {
    {"last_that_was_fetched_is_cancelled", 0, 39},
    {"last_but_one_that_was_fetched_is_cancelled", 1, 38},
    {"one_fetched_from_the_first_on_is_cancelled", 2, 21},
    {"first_is_cancelled_before_others_are_fetched", 0, 20},
    {"first_is_cancelled_behind_its_fetch", 5, 20},
    {"one_is_cancelled_that_was_not_fetched", 2, 30},
};

static const struct ahead_row *ahead;

static void expired_and_cancels(
    struct kernel *kernel, struct clock_timer *timer)
{
    unsigned n = (unsigned)((struct counted_timer *)timer - scene->timer);

    expired(kernel, timer);
    if (n == ahead->at) {
        scene->timer[ahead->other].cancelled =
            clock_timer_cancel(kernel, &scene->timer[ahead->other].timer);
    }
}

static void set_two_ticks(void *argument)
{
    struct kernel *kernel = kernel_current();

    (void)argument;
    for (unsigned n = 0; n < scene->count; n++) {
        scene->timer[n].timer.expired = expired_and_cancels;
        scene->timer[n].want = 1 + n / OF_A_TICK;
        clock_timer_set(kernel, &scene->timer[n].timer, scene->timer[n].want);
    }
    cpu_stall(kernel_cpu(kernel), UINT64_C(3) * TICK_CYCLES);
    cpu_checkpoint(kernel_cpu(kernel));
}

static void ahead_row(void **state)
{
    struct scene timers = {.count = 2 * OF_A_TICK};
    struct booted_kernel booted;

    ahead = *state;
    scene = &timers;
    booted_init_usual(&booted);
    booted_run(&booted, 0, set_two_ticks, NULL);
    assert_int_equal(timers.came, timers.count - 1);
    assert_int_equal(timers.early, 0);
    assert_true(timers.timer[ahead->other].cancelled);
    for (unsigned i = 0; i < timers.came; i++) {
        assert_int_equal(timers.order[i], i + (i >= ahead->other));
    }
    booted_release(&booted);
}

/* Interrupt time 0 began with the machine: 2,500 cycles a microsecond. */
static struct tick_row {
    const char *name;
    uint64_t now, since, units, want;
} tick_rows[] = {
    {"shortest_is_the_next_tick", 0, 0, 1, 1},
    {"whole_tick_is_that_one", 0, 0, 156250, 1},
    {"a_unit_more_is_one_later", 0, 0, 156251, 2},
    {"past_is_the_next_tick", 3 * (uint64_t)TICK_CYCLES, 0, 1, 4},
    {"counted_from_a_beginning", 0, 156250, 156250, 2},
    /* 2^62 cycles. */
    {"nothing_is_behind_the_end", 0, 0, UINT64_MAX, 118059162071},
};

struct tick_question {
    const struct tick_row *row;
    uint64_t tick;
};

static void ask_tick(void *argument)
{
    struct tick_question *question = argument;
    struct kernel *kernel = kernel_current();

    cpu_spin(kernel_cpu(kernel), question->row->now);
    question->tick =
        clock_tick_after(kernel, question->row->since, question->row->units);
}

static void tick_row(void **state)
{
    struct tick_question question = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, ask_tick, &question);
    assert_int_equal(question.tick, question.row->want);
    booted_release(&booted);
}

/* The second of a tick is its first then, and this one stands behind it. */
static void set_first_again(void *argument)
{
    struct kernel *kernel = kernel_current();

    (void)argument;
    for (unsigned n = 0; n < 3; n++) {
        struct counted_timer *counted = &scene->timer[n % 2];

        counted->timer.expired = expired;
        counted->want = 2;
        clock_timer_set(kernel, &counted->timer, 2);
    }
    cpu_spin(kernel_cpu(kernel), UINT64_C(3) * TICK_CYCLES);
    cpu_checkpoint(kernel_cpu(kernel));
}

static void first_of_a_tick_is_set_again(void **state)
{
    struct scene timers = {.count = 2};
    struct booted_kernel booted;

    (void)state;
    scene = &timers;
    booted_init_usual(&booted);
    booted_run(&booted, 0, set_first_again, NULL);
    assert_int_equal(timers.came, 2);
    assert_int_equal(timers.order[0], 1);
    assert_int_equal(timers.order[1], 0);
    booted_release(&booted);
}

struct next_times {
    uint64_t all, without_last, without_first, none;
};

/* Nobody has the machine's time leap to what is cancelled. */
static void cancel_one_by_one(void *argument)
{
    struct next_times *times = argument;
    struct kernel *kernel = kernel_current();
    const struct machine_alarms *alarm = &kernel->machine->alarm;
    struct clock_timer timer[3] = {{.due = 0}};

    for (unsigned n = 0; n < 3; n++) {
        timer[n].expired = expired;
        clock_timer_set(kernel, &timer[n], 2 + n);
    }
    times->all = alarm->time;
    clock_timer_cancel(kernel, &timer[2]);
    times->without_last = alarm->time;
    clock_timer_cancel(kernel, &timer[0]);
    times->without_first = alarm->time;
    clock_timer_cancel(kernel, &timer[1]);
    times->none = alarm->time;
}

static void machine_wakes_for_what_is_left(void **state)
{
    struct next_times times;
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, cancel_one_by_one, &times);
    assert_int_equal(times.all, 2 * TICK_CYCLES);
    assert_int_equal(times.without_last, 2 * TICK_CYCLES);
    assert_int_equal(times.without_first, 3 * TICK_CYCLES);
    assert_true(times.none == MACHINE_NO_ALARM);
    booted_release(&booted);
}

/* From the 100th unit on, of 250 cycles. */
static struct fine_row {
    const char *name;
    uint64_t units, want;
} fine_rows[] = {
    {"past_is_the_next_unit", 99, 101},
    {"now_is_the_next_unit", 100, 101},
    {"next_unit_is_that_one", 101, 101},
    {"later_is_then", 105, 105},
};

struct fine_question {
    const struct fine_row *row;
    uint64_t alarm;
};

static void ask_fine(void *argument)
{
    struct fine_question *question = argument;
    struct kernel *kernel = kernel_current();
    struct clock_timer timer = {.expired = expired};

    cpu_spin(kernel_cpu(kernel), 25000);
    clock_timer_set_fine(kernel, &timer, question->row->units);
    question->alarm = kernel->machine->alarm.time;
    clock_timer_cancel(kernel, &timer);
}

static void fine_row(void **state)
{
    struct fine_question question = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, ask_fine, &question);
    assert_int_equal(question.alarm, question.row->want * 250);
    booted_release(&booted);
}

TEST_FILE(test_clock)
{
    TEST_ADD_ROWS(list, clock_row, clock_rows);
    TEST_ADD_GROUP(list, "ahead", ahead_row, ahead_rows);
    TEST_ADD_GROUP(list, "tick", tick_row, tick_rows);
    TEST_ADD_GROUP(list, "fine", fine_row, fine_rows);
    test_add(list, "timer_that_is_set_again_comes_once",
        timer_that_is_set_again_comes_once, NULL);
    test_add(list, "first_of_a_tick_is_set_again", first_of_a_tick_is_set_again,
        NULL);
    test_add(list, "machine_wakes_for_what_is_left",
        machine_wakes_for_what_is_left, NULL);
}
