/* test_pcw_inside.c - several callbacks at once, and what ends in the middle of
 * one: its registration, the machine (PCW-CB-03a, PCW-UNR-03). */
#include "api/boot/exports.h"
#include "api/boot/kernel_boot.h"
#include "api/pcw/pcw.h"
#include "api/text/fnv.h"
#include "tests/api/pcw/pcw_race.h"

static void collect_many_times(void *argument)
{
    struct pcw_consumer *consumer = argument;

    pcw_consumer_open(consumer);
    for (unsigned i = 0; i < 10; i++) {
        pcw_consumer_collect(consumer);
        if (consumer->result->row_count != 1) {
            return;
        }
    }
    pcw_consumer_close(consumer);
}

static void several_consumers_are_in_the_callback_at_once(void **state)
{
    struct pcw_race race;

    (void)state;
    race_init(&race);
    race.provider.during = take_long;
    race.registration = pcw_register(&race.booted, &race.set);
    pcw_provider_add(
        &race.provider, pcw_name(&race.booted, PCW_TEXT(u"C:")), 0, 0, NULL);
    for (unsigned i = 0; i < PROCESSORS; i++) {
        race.consumer[i].filter.counters = 0;
        booted_spawn(&race.booted, i, collect_many_times, &race.consumer[i]);
    }
    assert_int_equal(machine_run(&race.booted.machine), MACHINE_IDLE);
    assert_int_equal(race.most_inside, 4);
    for (unsigned i = 0; i < PROCESSORS; i++) {
        assert_null(race.consumer[i].query); /* it came to its end */
    }
    assert_int_equal(race.provider.calls, 4 * 12);
    assert_int_equal(race.booted.kernel.rules.count, 0);
    booted_release(&race.booted);
}

static bool is_let_go(void *context)
{
    return ((const struct pcw_race *)context)->let_go;
}

static void wait_inside(struct pcw_provider *provider, uint64_t type)
{
    struct pcw_race *race = provider->argument;

    if (type == PcwCallbackCollectData) {
        strand_wait(&race->booted.machine, STRAND_BLOCKED, is_let_go, race);
    }
}

static void let_go(void *argument)
{
    meet();
    ((struct pcw_race *)argument)->let_go = true;
}

static void unregister_at_apc_level(void *argument)
{
    struct pcw_race *race = argument;

    KfRaiseIrql(1);
    unregister_later(race);
    race->level = KeGetCurrentIrql();
    KeLowerIrql(0);
}

/* A thread that waits takes its level with it: those whom it waits for, on the
 * same processor, have theirs. */
static void level_of_who_waits_is_its_own(void **state)
{
    struct pcw_race race;

    (void)state;
    race_init(&race);
    race.provider.during = wait_inside;
    race.registration = pcw_register(&race.booted, &race.set);
    booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[0]);
    booted_spawn(&race.booted, 0, pcw_consumer_collect, &race.consumer[0]);
    booted_spawn(&race.booted, 0, unregister_at_apc_level, &race);
    booted_run(&race.booted, 1, let_go, &race);
    assert_int_equal(race.level, 1);
    assert_int_equal(race.booted.kernel.rules.count, 0);
    assert_null(race.booted.kernel.pcw->first);
    booted_release(&race.booted);
}

static void unregister_itself(struct pcw_provider *provider, uint64_t type)
{
    struct pcw_race *race = provider->argument;

    if (type == PcwCallbackCollectData) {
        unregister_later(race);
    }
}

static void callback_cannot_unregister_its_own_set(void **state)
{
    struct pcw_race race;

    (void)state;
    race_init(&race);
    race.provider.during = unregister_itself;
    race.registration = pcw_register(&race.booted, &race.set);
    booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[0]);
    booted_run_to_stop(
        &race.booted, 0, pcw_consumer_collect, &race.consumer[0]);
    assert_int_equal(
        booted_broken(&race.booted, RULE_PCW_UNREGISTER_INSIDE), 1);
    assert_int_equal(race.booted.kernel.bugcheck.code, 0xC4);
    booted_release(&race.booted);
}

static void callback_unregisters_its_own_set_without_waiting(void **state)
{
    struct pcw_race race;

    (void)state;
    race_init(&race);
    pcw_flip(&race.booted, RULED_PCW_UNR_03_no_wait);
    race.provider.during = unregister_itself;
    race.registration = pcw_register(&race.booted, &race.set);
    pcw_provider_add(
        &race.provider, pcw_name(&race.booted, PCW_TEXT(u"C:")), 0, 0, NULL);
    race.consumer[0].filter.counters = 0;
    pcw_collect_once(&race.booted, &race.consumer[0]);
    assert_int_equal(race.consumer[0].result->row_count, 1);
    assert_null(race.booted.kernel.pcw->first);
    booted_release(&race.booted);
}

static void callback_unregisters_another_set(void **state)
{
    struct pcw_race race;
    struct pcw_set other = {.name = PCW_TEXT(u"Net")};

    (void)state;
    race_init(&race);
    race.provider.during = unregister_itself;
    race.registration = pcw_register(&race.booted, &other);
    pcw_register(&race.booted, &race.set);
    pcw_collect_once(&race.booted, &race.consumer[0]);
    assert_true(race.ended_at > 0);
    assert_int_equal(booted_broken(&race.booted, RULE_PCW_CALLBACK_CHANGES), 1);
    booted_release(&race.booted);
}

static uint64_t trace_number(const struct trace *trace)
{
    uint64_t number = 0;

    for (size_t i = 0; i < trace->count; i++) {
        char line[2000];

        assert_true(trace_format(trace, i, line, sizeof(line)) < sizeof(line));
        number = number * 31 + fnv1a(line);
    }
    return number;
}

static void stop_now(struct pcw_provider *provider, uint64_t type)
{
    struct pcw_race *race = provider->argument;

    (void)type;
    spend(SHORT_CYCLES);
    if (race->inside++ == 2) {
        PcwUnregister(NULL);
    }
    spend(SHORT_CYCLES);
}

/* Three are in callbacks, one waits for them, when it stops. Then again. */
static void machine_stops_in_a_callback_and_boots_again(void **state)
{
    const struct machine_config config = {.processors = PROCESSORS,
        .groups = 1,
        .pmu = pmu_models[arch_rows[ARCH_X64].model]};
    struct pcw_race race;
    uint64_t first = 0, hash[2];

    (void)state;
    race_init(&race);
    for (unsigned i = 0; i < 2; i++) {
        race.inside = 0;
        race.provider.during = NULL;
        race.delay = SHORT_CYCLES / 2;
        race.registration = pcw_register(&race.booted, &race.set);
        create_two_blocks(&race);
        for (unsigned j = 1; j < PROCESSORS; j++) {
            booted_run(&race.booted, 0, pcw_consumer_open, &race.consumer[j]);
        }
        for (unsigned j = 1; j < PROCESSORS; j++) {
            booted_spawn(&race.booted, j, meet_and_collect, &race.consumer[j]);
        }
        race.provider.during = stop_now;
        booted_run_to_stop(&race.booted, 0, meet_and_unregister, &race);
        assert_int_equal(
            booted_broken(&race.booted, RULE_PCW_UNREGISTER_NULL), 1);
        hash[i] = trace_number(&race.booted.machine.trace);
        assert_int_equal(i == 0 ? race.registration : first, race.registration);
        first = race.registration;
        machine_reset(&race.booted.machine, &config);
        kernel_boot(
            &race.booted.kernel, &race.booted.machine, OS_WIN11, ARCH_X64);
        assert_null(race.booted.kernel.pcw->first);
        assert_null(pcw_query_find(&race.booted.kernel, 1));
    }
    assert_int_equal(hash[0], hash[1]);
    booted_release(&race.booted);
}

TEST_FILE(test_pcw_inside)
{
    test_add(list, "several_consumers_are_in_the_callback_at_once",
        several_consumers_are_in_the_callback_at_once, NULL);
    test_add(list, "callback_cannot_unregister_its_own_set",
        callback_cannot_unregister_its_own_set, NULL);
    test_add(list, "callback_unregisters_its_own_set_without_waiting",
        callback_unregisters_its_own_set_without_waiting, NULL);
    test_add(list, "callback_unregisters_another_set",
        callback_unregisters_another_set, NULL);
    test_add(list, "level_of_who_waits_is_its_own",
        level_of_who_waits_is_its_own, NULL);
    test_add(list, "machine_stops_in_a_callback_and_boots_again",
        machine_stops_in_a_callback_and_boots_again, NULL);
}
