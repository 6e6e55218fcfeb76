/* test_pcw_run_down.c - closing and unregistering while others collect, on
 * other processors (PCW-UNR-03, PCW-CLS-03b, PCW-CB-03b). */
#include "api/boot/exports.h"
#include "api/pcw/pcw.h"
#include "tests/api/pcw/pcw_race.h"

static void open_and_collect(void *argument)
{
    meet();
    pcw_consumer_open(argument);
    pcw_consumer_collect(argument);
}

/* When PcwUnregister comes in a callback. */
static struct row {
    const char *name;
    enum ruled ruled;
    bool opened; /* before: so it is in CollectData, else in AddCounter */
    bool want_waits;
    unsigned want_calls;
    size_t want_rows;
} rows[] = {
    {"unregister_waits_for_a_collection", PCW_USUAL, true, true, 2, 1},
    {"unregister_does_not_wait_for_a_collection", RULED_PCW_UNR_03_no_wait,
        true, false, 2, 1},
    {"unregister_waits_and_nothing_is_collected", PCW_USUAL, false, true, 1, 0},
    {"unregister_does_not_wait_and_nothing_is_collected",
        RULED_PCW_UNR_03_no_wait, false, false, 1, 0},
};

static void unregister_row(void **state)
{
    const struct row *row = *state;
    struct pcw_race race;

    race_init(&race);
    pcw_flip(&race.booted, row->ruled);
    race.delay = SHORT_CYCLES;
    race.registration = pcw_register(&race.booted, &race.set);
    pcw_provider_add(
        &race.provider, pcw_name(&race.booted, PCW_TEXT(u"C:")), 0, 0, NULL);
    race.consumer[0].filter.counters = 0;
    if (row->opened) {
        booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[0]);
    }
    race.provider.during = take_long;
    booted_spawn(&race.booted, 1,
        row->opened ? meet_and_collect : open_and_collect, &race.consumer[0]);
    booted_run(&race.booted, 0, meet_and_unregister, &race);
    assert_true(race.callback_at > LONG_CYCLES);
    assert_int_equal(race.ended_at > race.callback_at, row->want_waits);
    assert_int_equal(race.provider.calls, row->want_calls);
    assert_int_equal(race.consumer[0].result->row_count, row->want_rows);
    assert_int_equal(race.booted.kernel.rules.count, 0);
    assert_null(race.booted.kernel.pcw->first);
    booted_release(&race.booted);
}

/* The second registration comes when the query is there, and goes in its
 * AddCounter. */
static void set_that_goes_when_it_is_told_is_not_collected(void **state)
{
    struct pcw_race race;

    (void)state;
    race_init(&race);
    race.delay = SHORT_CYCLES;
    booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[0]);
    race.registration = pcw_register(&race.booted, &race.set);
    race.provider.during = take_long;
    booted_spawn(&race.booted, 1, meet_and_collect, &race.consumer[0]);
    booted_run(&race.booted, 0, meet_and_unregister, &race);
    assert_true(race.ended_at >= race.callback_at);
    assert_int_equal(race.provider.calls, 1);
    booted_run(&race.booted, 0, pcw_consumer_close, &race.consumer[0]);
    assert_int_equal(race.provider.calls, 1);
    booted_release(&race.booted);
}

/* Ends the instance or its registration, then frees what it read. */
static void end_and_free(void *argument)
{
    struct pcw_race *race = argument;

    meet();
    spend(1 + race->delay);
    if (race->set.callback != NULL) {
        PcwUnregister((PPCW_REGISTRATION)(uintptr_t)race->registration);
    } else {
        PcwCloseInstance((PPCW_INSTANCE)(uintptr_t)race->instance);
    }
    ExFreePool(race->block[1]);
    ExFreePool(race->block[0]);
}

/* Whatever moment it comes at: no block is read behind its end. */
static struct moment_row {
    const char *name;
    enum ruled ruled;
    bool unregisters;
    bool want_gone; /* at some moment */
} moment_rows[] = {
    {"close_waits_for_the_readers", PCW_USUAL, false, false},
    {"close_does_not_wait", RULED_PCW_CLS_03b_no_wait, false, true},
    {"unregister_waits_for_the_readers", PCW_USUAL, true, false},
    {"unregister_does_not_wait", RULED_PCW_UNR_03_no_wait, true, false},
};

static void moment_row(void **state)
{
    const struct moment_row *row = *state;
    unsigned with = 0, without = 0, gone = 0;

    for (uint64_t delay = 0; delay < 2000; delay += 5) {
        struct pcw_race race;

        race_init(&race);
        pcw_flip(&race.booted, row->ruled);
        race.set.callback = row->unregisters ? race.set.callback : NULL;
        race.delay = delay;
        race.registration = pcw_register(&race.booted, &race.set);
        create_two_blocks(&race);
        booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[0]);
        booted_spawn(&race.booted, 0, end_and_free, &race);
        booted_spawn(&race.booted, 1, meet_and_collect, &race.consumer[0]);
        (void)machine_run(&race.booted.machine);
        gone += booted_broken(&race.booted, RULE_PCW_BLOCK_GONE);
        if (race.booted.kernel.rules.count == 0) {
            with += race.consumer[0].result->row_count == 1;
            without += race.consumer[0].result->row_count == 0;
        } else {
            assert_int_equal(race.booted.kernel.bugcheck.code, 0xD5);
        }
        booted_release(&race.booted);
    }
    assert_int_equal(gone > 0, row->want_gone);
    assert_true(with > 0 && without > 0);
}

static void close_at_once(void *argument)
{
    struct pcw_race *race = argument;

    meet();
    spend(COLLECTING - 700);
    PcwCloseInstance((PPCW_INSTANCE)(uintptr_t)race->instance);
}

static void free_second(void *argument)
{
    struct pcw_race *race = argument;

    meet();
    spend(1 + race->delay);
    ExFreePool(race->block[1]);
}

static void collect_later(void *argument)
{
    meet();
    spend(COLLECTING + 200);
    pcw_consumer_collect(argument);
}

/* The first consumer reads it when PcwCloseInstance comes; the second comes
 * afterwards. */
static void instance_that_is_being_closed_is_not_collected(void **state)
{
    struct pcw_race race;

    (void)state;
    race_init(&race);
    race.set.callback = NULL;
    race.registration = pcw_register(&race.booted, &race.set);
    create_two_blocks(&race);
    for (unsigned i = 0; i < 2; i++) {
        booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[i]);
    }
    booted_spawn(&race.booted, 0, close_at_once, &race);
    booted_spawn(&race.booted, 1, meet_and_collect, &race.consumer[0]);
    booted_spawn(&race.booted, 2, collect_later, &race.consumer[1]);
    assert_int_equal(machine_run(&race.booted.machine), MACHINE_IDLE);
    assert_int_equal(race.consumer[0].result->row_count, 1);
    assert_int_equal(race.consumer[1].result->row_count, 0);
    booted_release(&race.booted);
}

static void unregister_at_once(void *argument)
{
    struct pcw_race *race = argument;

    meet();
    spend(COLLECTING - 1400);
    unregister_later(race);
}

/* Whichever of the two is first to go on when the reader has left. */
static void both_ends_may_wait_for_a_reader(void **state)
{
    (void)state;
    for (unsigned other = 0; other < 3; other += 2) {
        struct pcw_race race;

        race_init(&race);
        race.set.callback = NULL;
        race.registration = pcw_register(&race.booted, &race.set);
        create_two_blocks(&race);
        booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[0]);
        booted_spawn(&race.booted, 2 - other, close_at_once, &race);
        booted_spawn(&race.booted, other, unregister_at_once, &race);
        booted_spawn(&race.booted, 1, meet_and_collect, &race.consumer[0]);
        assert_int_equal(machine_run(&race.booted.machine), MACHINE_IDLE);
        assert_int_equal(race.consumer[0].result->row_count, 1);
        assert_null(race.booted.kernel.pcw->first);
        assert_int_equal(race.booted.kernel.rules.count, 0);
        booted_release(&race.booted);
    }
}

/* PcwCloseInstance has begun and not returned. */
static void data_that_goes_while_its_instance_is_closed_is_reported(
    void **state)
{
    unsigned gone = 0;

    (void)state;
    for (uint64_t delay = COLLECTING - 400; delay < COLLECTING + 400;
         delay += 10) {
        struct pcw_race race;

        race_init(&race);
        race.set.callback = NULL;
        race.delay = delay;
        race.registration = pcw_register(&race.booted, &race.set);
        create_two_blocks(&race);
        booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[0]);
        booted_spawn(&race.booted, 0, close_at_once, &race);
        booted_spawn(&race.booted, 2, free_second, &race);
        booted_spawn(&race.booted, 1, meet_and_collect, &race.consumer[0]);
        (void)machine_run(&race.booted.machine);
        if (booted_broken(&race.booted, RULE_PCW_BLOCK_GONE) > 0) {
            gone++;
            assert_int_equal(
                booted_broken(&race.booted, RULE_PCW_BLOCK_FREED), 1);
        }
        booted_release(&race.booted);
    }
    assert_true(gone > 0);
}

TEST_FILE(test_pcw_run_down)
{
    TEST_ADD_ROWS(list, unregister_row, rows);
    TEST_ADD_ROWS(list, moment_row, moment_rows);
    test_add(list, "instance_that_is_being_closed_is_not_collected",
        instance_that_is_being_closed_is_not_collected, NULL);
    test_add(list, "both_ends_may_wait_for_a_reader",
        both_ends_may_wait_for_a_reader, NULL);
    test_add(list, "data_that_goes_while_its_instance_is_closed_is_reported",
        data_that_goes_while_its_instance_is_closed_is_reported, NULL);
    test_add(list, "set_that_goes_when_it_is_told_is_not_collected",
        set_that_goes_when_it_is_told_is_not_collected, NULL);
}
