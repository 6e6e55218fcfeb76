/* test_pcw_twins.c - names and ids that a callback's instances share at one
 * request; what it may not change meanwhile (PCW-ADD-03a, PCW-ADD-04b,
 * PCW-ADD-08, PCW-CON-05). */
#include "tests/api/pcw/pcw_named_scene.h"

static struct twin_row {
    const char *name;
    enum ruled ruled;
    struct named named[INSTANCES + 1];
    unsigned want_name, want_id;
} twin_rows[] = {
    {"different_ones", PCW_USUAL, {NAMED(u"A", 1), NAMED(u"B", 2), END}, 0, 0},
    {"equal_name", PCW_USUAL, {NAMED(u"A", 1), NAMED(u"a", 2), END}, 1, 0},
    {"three_of_a_name", PCW_USUAL,
        {NAMED(u"A", 1), NAMED(u"a", 2), NAMED(u"A", 3), END}, 2, 0},
    {"two_pairs", PCW_USUAL,
        {NAMED(u"A", 1), NAMED(u"B", 2), NAMED(u"A", 3), NAMED(u"B", 4), END},
        2, 0},
    {"empty_names", PCW_USUAL, {NAMED(u"", 1), NAMED(u"", 2), END}, 1, 0},
    {"equal_id_is_silent", PCW_USUAL, {NAMED(u"A", 0), NAMED(u"B", 0), END}, 0,
        0},
    {"equal_id", RULED_PCW_ADD_04b_event, {NAMED(u"A", 7), NAMED(u"B", 7), END},
        0, 1},
    {"equal_id_of_the_first", RULED_PCW_ADD_04b_event,
        {NAMED(u"A", 7), NAMED(u"B", 8), NAMED(u"C", 7), END}, 0, 1},
    {"three_of_an_id", RULED_PCW_ADD_04b_event,
        {NAMED(u"A", 7), NAMED(u"B", 7), NAMED(u"C", 7), END}, 0, 2},
    {"different_ids", RULED_PCW_ADD_04b_event,
        {NAMED(u"A", 1), NAMED(u"B", 17), NAMED(u"C", 2), END}, 0, 0},
};

/* Also where the consumer does not want the second. */
static void twin_row(void **state)
{
    const struct twin_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    pcw_flip(&scene.booted, row->ruled);
    plan(&scene, row->named);
    scene.consumer.filter.multiple = false;
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.consumer.result->row_count, 1);
    assert_int_equal(booted_broken(&scene.booted, RULE_PCW_INSTANCE_SAME_NAME),
        row->want_name);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_INSTANCE_SAME_ID), row->want_id);
    assert_int_equal(
        scene.booted.kernel.rules.count, row->want_name + row->want_id);
    booted_release(&scene.booted);
}

/* More than the first table of names has room for. */
static void names_of_many_instances_are_compared(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    pcw_flip(&scene.booted, RULED_PCW_ADD_04b_event);
    for (uint16_t i = 0; i < PCW_SCENE_ADDS; i++) {
        const uint16_t name[] = {
            (uint16_t)(u'A' + i % 40 % 8), (uint16_t)(u'A' + i % 40 / 8)};

        pcw_provider_add(&scene.provider,
            pcw_name(&scene.booted, (struct pcw_text){name, 2}), i, 0, NULL);
    }
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.consumer.result->row_count, 48);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_INSTANCE_SAME_NAME), 8);
    assert_int_equal(scene.booted.kernel.rules.count, 8);
    booted_release(&scene.booted);
}

static void twin_is_named(void **state)
{
    static const struct named twins[] = {NAMED(u"A", 1), NAMED(u"a", 2), END};
    struct scene scene;

    (void)state;
    scene_init(&scene);
    plan(&scene, twins);
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.booted.kernel.rules.count, 1);
    assert_string_equal(
        scene.booted.kernel.rules.event[0].subject, "'a', id 2");
    booted_release(&scene.booted);
}

/* What the consumer does not ask for is recorded only if all is. */
static struct filter_row {
    const char *name;
    enum ruled ruled;
    struct pcw_text mask;
    uint32_t id;
    const char *want;
} filter_rows[] = {
    {"name_is_filtered", PCW_USUAL, PCW_TEXT_ROW(u"b"), 0xFFFFFFFF, "B"},
    {"id_is_filtered", PCW_USUAL, PCW_TEXT_ROW(u"*"), 3, "C"},
    {"nothing_is_filtered", PCW_USUAL, PCW_TEXT_ROW(u"*"), 0xFFFFFFFF, "ABC"},
    {"name_is_the_providers_to_filter", RULED_PCW_ADD_08_provider,
        PCW_TEXT_ROW(u"b"), 0xFFFFFFFF, "ABC"},
    {"id_is_the_providers_to_filter", RULED_PCW_ADD_08_provider,
        PCW_TEXT_ROW(u"*"), 3, "ABC"},
};

static void filter_row(void **state)
{
    static const struct named three[] = {
        NAMED(u"A", 1), NAMED(u"B", 2), NAMED(u"C", 3), END};
    const struct filter_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    pcw_flip(&scene.booted, row->ruled);
    plan(&scene, three);
    scene.consumer.filter.instance = row->mask;
    scene.consumer.filter.id = row->id;
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.consumer.result->row_count, strlen(row->want));
    for (size_t i = 0; row->want[i] != '\0'; i++) {
        assert_int_equal(
            scene.consumer.result->row[i].name.at[0], row->want[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(scene.provider.add[i].status, 0x00000000);
    }
    booted_release(&scene.booted);
}

/* In a callback that is asked for something, and in another. */
static struct change_row {
    const char *name;
    enum routine routine;
    bool adding; /* in AddCounter, else in CollectData */
    bool want;
    bool fails;
} change_rows[] = {
    {"creating_while_it_collects", ROUTINE_PcwCreateInstance, false, true,
        false},
    {"closing_while_it_collects", ROUTINE_PcwCloseInstance, false, true, false},
    {"registering_while_it_collects", ROUTINE_PcwRegister, false, true, false},
    {"allocating_counters_while_it_collects",
        ROUTINE_HalAllocateHardwareCounters, false, true, false},
    {"freeing_counters_while_it_collects", ROUTINE_HalFreeHardwareCounters,
        false, true, false},
    {"configuring_while_it_collects", ROUTINE_KeSetHardwareCounterConfiguration,
        false, true, false},
    {"looking_while_it_collects", ROUTINE_KeQueryHardwareCounterConfiguration,
        false, false, false},
    {"creating_when_it_is_told_of_a_query", ROUTINE_PcwCreateInstance, true,
        false, false},
    {"registering_in_vain_while_it_collects", ROUTINE_PcwRegister, false, false,
        true},
    {"freeing_no_counters_while_it_collects", ROUTINE_HalFreeHardwareCounters,
        false, false, true},
};

static void change(struct pcw_provider *provider, uint64_t type)
{
    struct pcw_job *job = provider->argument;

    if (type == job->argument[4]) {
        job->argument[4] = 0;
        pcw_job_main(job);
    }
}

static void change_row(void **state)
{
    const struct change_row *row = *state;
    const struct pcw_set set = {.name = PCW_TEXT(u"Net")};
    struct scene scene;
    struct pcw_job job = {.routine = row->routine};
    struct pcw_job allocation = {
        .routine = ROUTINE_HalAllocateHardwareCounters};
    PPCW_REGISTRATION_INFORMATION info;
    uint64_t *memory;

    scene_init(&scene);
    memory = booted_block(&scene.booted, 64, 0);
    allocation.argument[3] = pcw_value(memory);
    if (row->routine == ROUTINE_PcwCreateInstance) {
        job.argument[0] = pcw_value(memory);
        job.argument[1] = scene.registration;
        job.argument[2] = pcw_value(pcw_name(&scene.booted, PCW_TEXT(u"C:")));
    } else if (row->routine == ROUTINE_PcwCloseInstance) {
        job.argument[0] = pcw_create(
            &scene.booted, scene.registration, PCW_TEXT(u"C:"), NULL, 0);
    } else if (row->routine == ROUTINE_PcwRegister) {
        job.argument[0] = pcw_value(memory);
        info = pcw_information(&scene.booted, &set);
        info->Version = row->fails ? 0 : PCW_VERSION_1;
        job.argument[1] = pcw_value(info);
    } else if (row->routine == ROUTINE_HalAllocateHardwareCounters) {
        job = allocation;
    } else if (row->routine == ROUTINE_HalFreeHardwareCounters && !row->fails) {
        pcw_run(&scene.booted, &allocation);
        job.argument[0] = *memory;
    } else if (row->routine == ROUTINE_KeQueryHardwareCounterConfiguration) {
        job.argument[0] = pcw_value(memory);
        job.argument[1] = 1;
        job.argument[2] = pcw_value(memory + 4);
    }
    job.argument[4] =
        row->adding ? PcwCallbackAddCounter : PcwCallbackCollectData;
    scene.provider.argument = &job;
    scene.provider.during = change;
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_true(job.done);
    assert_int_equal(job.status != 0, row->fails);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_CALLBACK_CHANGES), row->want);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_twins)
{
    TEST_ADD_ROWS(list, twin_row, twin_rows);
    test_add(list, "twin_is_named", twin_is_named, NULL);
    TEST_ADD_ROWS(list, filter_row, filter_rows);
    TEST_ADD_ROWS(list, change_row, change_rows);
    test_add(list, "names_of_many_instances_are_compared",
        names_of_many_instances_are_compared, NULL);
}
