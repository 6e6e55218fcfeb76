/* test_pcw_query.c - a consumer's query and what the callbacks get to see of it
 * (facts.md 5.7). */
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR counters[] = {
    {.Id = 1, .StructIndex = 0, .Offset = 0, .Size = 4},
    {.Id = 2, .StructIndex = 0, .Offset = 8, .Size = 8},
};

struct scene {
    struct booted_kernel booted;
    struct pcw_provider provider[3];
    struct pcw_consumer consumer;
    const void *block;
};

static void scene_init(struct scene *scene)
{
    static const uint8_t bytes[16] = {1, 0, 0, 0, 0, 0, 0, 0, 2};

    *scene = (struct scene){.block = NULL};
    booted_init_usual(&scene->booted);
    scene->consumer = pcw_consumer_of(&scene->booted, PCW_TEXT(u"Disk"));
    scene->block = booted_copy(&scene->booted, bytes, sizeof(bytes));
}

/* A set with a callback. */
static uint64_t provide(struct scene *scene, unsigned number)
{
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .counter = counters,
        .count = 2,
        .callback = pcw_callback_of_scene,
        .context = &scene->provider[number]};

    return pcw_register(&scene->booted, &set);
}

/* The callback will add such an instance. */
static void plan(
    struct scene *scene, unsigned number, struct pcw_text name, ULONG id)
{
    const PCW_DATA data = {
        .Data = (PVOID)(uintptr_t)pcw_value(scene->block), .Size = 16};

    pcw_provider_add(&scene->provider[number], pcw_name(&scene->booted, name),
        id, 1, booted_copy(&scene->booted, &data, sizeof(data)));
}

static void run(struct scene *scene, void (*what)(void *argument))
{
    booted_run(&scene->booted, 0, what, &scene->consumer);
}

static void enumeration_is_alone_and_has_no_values(void **state)
{
    const PCW_DATA no_block = {.Size = 16};
    struct scene scene;
    struct pcw_provider *provider = &scene.provider[0];

    (void)state;
    scene_init(&scene);
    pcw_create(
        &scene.booted, provide(&scene, 0), PCW_TEXT(u"C:"), scene.block, 16);
    pcw_provider_add(
        provider, pcw_name(&scene.booted, PCW_TEXT(u"D:")), 5, 0, NULL);
    pcw_provider_add(provider, pcw_name(&scene.booted, PCW_TEXT(u"E:")), 6, 1,
        booted_copy(&scene.booted, &no_block, sizeof(no_block)));
    pcw_provider_add(provider, pcw_name(&scene.booted, PCW_TEXT(u"F:")), 7,
        0xFFFFFFFF, (const PCW_DATA *)(uintptr_t)0x10000);
    provider->returns = (NTSTATUS)0xC0000001;
    run(&scene, pcw_consumer_prepare);
    run(&scene, pcw_consumer_enumerate);
    assert_int_equal(provider->calls, 1);
    assert_int_equal(provider->noted[0].type, PcwCallbackEnumerateInstances);
    assert_int_equal(scene.consumer.result->row_count, 4);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(provider->add[i].status, 0x00000000);
        assert_int_equal(scene.consumer.result->row[i + 1].id, 5 + i);
    }
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(scene.consumer.result->row[i].value_count, 0);
        assert_int_equal(scene.consumer.result->row[i].name.at[0], 'C' + i);
    }
    run(&scene, pcw_consumer_close);
    assert_int_equal(provider->calls, 1);
    booted_release(&scene.booted);
}

static struct order_row {
    const char *name;
    enum ruled ruled;
    const char *want; /* first characters of the names */
} order_rows[] = {
    {"created_ones_first", PCW_USUAL, "CABXY"},
    {"added_ones_first", RULED_PCW_CB_08_callback_first, "ABCYX"},
};

/* Two registrations: C is created and A, B are added, X created and Y added. */
static void order_row(void **state)
{
    const struct order_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    pcw_flip(&scene.booted, row->ruled);
    pcw_create(
        &scene.booted, provide(&scene, 0), PCW_TEXT(u"C"), scene.block, 16);
    pcw_create(
        &scene.booted, provide(&scene, 1), PCW_TEXT(u"X"), scene.block, 16);
    plan(&scene, 0, PCW_TEXT(u"A"), 0);
    plan(&scene, 0, PCW_TEXT(u"B"), 1);
    plan(&scene, 1, PCW_TEXT(u"Y"), 0);
    scene.provider[0].returns = (NTSTATUS)0xC0000001; /* for information */
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.consumer.result->row_count, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(
            scene.consumer.result->row[i].name.at[0], row->want[i]);
        assert_int_equal(scene.consumer.result->row[i].value_count, 2);
        assert_int_equal(scene.consumer.result->row[i].value[1], 2);
    }
    assert_int_equal(scene.consumer.result->row[0].registration, 1);
    assert_int_equal(scene.consumer.result->row[4].registration, 2);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    booted_release(&scene.booted);
}

/* The consumer wants one instance; the providers are all asked. */
static struct single_row {
    const char *name;
    enum ruled ruled;
    unsigned want;
} single_rows[] = {
    {"single_is_one_of_all_registrations", PCW_USUAL, 1},
    {"single_is_the_providers_to_see_to", RULED_PCW_ADD_09_keep, 5},
};

static void single_row(void **state)
{
    const struct single_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    pcw_flip(&scene.booted, row->ruled);
    pcw_create(
        &scene.booted, provide(&scene, 0), PCW_TEXT(u"C"), scene.block, 16);
    provide(&scene, 1);
    plan(&scene, 0, PCW_TEXT(u"A"), 0);
    plan(&scene, 0, PCW_TEXT(u"B"), 1);
    plan(&scene, 1, PCW_TEXT(u"X"), 0);
    plan(&scene, 1, PCW_TEXT(u"Y"), 1);
    scene.consumer.filter.multiple = false;
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.consumer.result->row_count, row->want);
    assert_int_equal(scene.consumer.result->row[0].name.at[0], 'C');
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(scene.provider[i].calls, 2);
        assert_int_equal(
            scene.provider[i].noted[1].info.CollectData.CollectMultiple, 0);
        assert_int_equal(scene.provider[i].add[0].status, 0x00000000);
        assert_int_equal(scene.provider[i].add[1].status, 0x00000000);
    }
    booted_release(&scene.booted);
}

/* What the callback was given last. */
static UNICODE_STRING *last_mask(const struct pcw_provider *provider)
{
    const struct pcw_noted *noted = &provider->noted[provider->calls - 1];

    return (UNICODE_STRING *)(uintptr_t)noted->info.AddCounter.InstanceMask;
}

static void write_over_mask(struct pcw_provider *provider, uint64_t type)
{
    UNICODE_STRING *mask = last_mask(provider);

    (void)type;
    *(uint16_t *)mask->Buffer = 'b';
    mask->Length = 2;
}

static void mask_is_new_for_every_callback(void **state)
{
    struct scene scene;
    uint64_t gone = 0;

    (void)state;
    scene_init(&scene);
    provide(&scene, 0);
    provide(&scene, 1);
    scene.consumer.filter.instance = PCW_TEXT(u"abc");
    scene.provider[0].during = write_over_mask;
    pcw_collect_once(&scene.booted, &scene.consumer);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(scene.provider[i].calls, 2);
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(scene.provider[i].noted[k].mask.Length, 6);
            assert_int_equal(scene.provider[i].noted[k].mask_first, 'a');
        }
    }
    /* Whoever kept it has nothing. */
    memcpy(&gone, &last_mask(&scene.provider[1])->Buffer, sizeof(gone));
    assert_int_equal(gone, 0xFFFFBAD1BAD1BAD1);
    assert_memory_equal(scene.provider[1].noted[1].mask.Buffer,
        ((const uint16_t[]){0xBAD1, 0xBAD1, 0xFFFF}), 6);
    booted_release(&scene.booted);
}

static struct late_row {
    const char *name;
    enum ruled ruled;
    unsigned want_added; /* of the later one */
} late_rows[] = {
    {"later_registration_is_told_at_its_first_collection", PCW_USUAL, 1},
    {"later_registration_is_not_told", RULED_PCW_CB_07_late, 0},
};

/* The first goes, the second comes; AddCounter and RemoveCounter balance. */
static void late_row(void **state)
{
    const struct late_row *row = *state;
    struct scene scene;
    uint64_t first;

    scene_init(&scene);
    pcw_flip(&scene.booted, row->ruled);
    first = provide(&scene, 0);
    plan(&scene, 0, PCW_TEXT(u"A"), 0);
    plan(&scene, 1, PCW_TEXT(u"B"), 0);
    pcw_collect_once(&scene.booted, &scene.consumer);
    pcw_unregister(&scene.booted, first);
    assert_int_equal(scene.provider[0].calls, 2);
    provide(&scene, 1);
    provide(&scene, 2);
    assert_int_equal(scene.provider[1].calls, 0);
    for (unsigned i = 0; i < 2; i++) {
        run(&scene, pcw_consumer_collect);
        assert_int_equal(scene.consumer.result->row_count, 1);
        assert_int_equal(scene.consumer.result->row[0].registration, 2);
    }
    run(&scene, pcw_consumer_close);
    assert_int_equal(scene.provider[0].calls, 2);
    for (unsigned i = 1; i < 3; i++) {
        assert_int_equal(
            pcw_provider_count(&scene.provider[i], PcwCallbackAddCounter),
            row->want_added);
        assert_int_equal(
            pcw_provider_count(&scene.provider[i], PcwCallbackCollectData), 2);
        assert_int_equal(
            pcw_provider_count(&scene.provider[i], PcwCallbackRemoveCounter),
            row->want_added);
        assert_int_equal(scene.provider[i].calls, 2 + 2 * row->want_added);
    }
    booted_release(&scene.booted);
}

static struct cancel_row {
    const char *name;
    uint32_t after;
    bool want_cancelled;
    unsigned want_calls; /* of CollectData */
    LONG want_event;     /* after the callback */
} cancel_rows[] = {
    {"cancelled_before_the_first", 0, true, 0, 0},
    {"cancelled_after_the_created_one", 1, true, 0, 0},
    {"cancelled_in_the_callback", 2, true, 1, 1},
    {"cancelled_after_the_last", 3, true, 1, 1},
    {"not_so_many_instances", 4, false, 1, 0},
};

/* Twice: the event of the second request is not signalled at first. */
static void cancel_row(void **state)
{
    const struct cancel_row *row = *state;
    struct scene scene;
    const struct pcw_noted *last;

    scene_init(&scene);
    pcw_create(
        &scene.booted, provide(&scene, 0), PCW_TEXT(u"C"), scene.block, 16);
    plan(&scene, 0, PCW_TEXT(u"A"), 0);
    plan(&scene, 0, PCW_TEXT(u"B"), 1);
    scene.consumer.cancel_after = row->after;
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.consumer.result->cancelled, row->want_cancelled);
    assert_int_equal(
        scene.consumer.result->row_count, row->want_cancelled ? 0 : 3);
    assert_int_equal(
        pcw_provider_count(&scene.provider[0], PcwCallbackCollectData),
        row->want_calls);
    if (row->want_calls > 0) {
        assert_int_equal(scene.provider[0].noted[1].event_before, 0);
        assert_int_equal(
            scene.provider[0].noted[1].event_after, row->want_event);
        assert_int_equal(scene.provider[0].add[1].status, 0x00000000);
    }
    scene.consumer.cancel_after = PCW_NEVER_CANCELLED;
    run(&scene, pcw_consumer_collect);
    assert_false(scene.consumer.result->cancelled);
    assert_int_equal(scene.consumer.result->row_count, 3);
    last = &scene.provider[0].noted[scene.provider[0].calls - 1];
    assert_int_equal(last->event_before, 0);
    assert_int_equal(last->event_after, 0);
    booted_release(&scene.booted);
}

/* What a callback returns is looked at by nobody (PCW-CB-02), but known. */
static struct failure_row {
    const char *name;
    uint32_t returns, want;
} failure_rows[] = {
    {"failure_is_known", 0xC0000206, 0xC0000206},
    {"warning_is_a_failure", 0x80000005, 0x80000005},
    {"information_is_none", 0x00000103, 0},
    {"success_is_none", 0x00000000, 0},
};

static void failure_row(void **state)
{
    const struct failure_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    provide(&scene, 0);
    provide(&scene, 1);
    plan(&scene, 0, PCW_TEXT(u"A"), 0);
    run(&scene, pcw_consumer_open);
    scene.provider[0].returns = (NTSTATUS)row->returns;
    run(&scene, pcw_consumer_collect);
    assert_int_equal(scene.consumer.result->failure, row->want);
    assert_int_equal(scene.consumer.result->row_count, 1);
    run(&scene, pcw_consumer_enumerate);
    assert_int_equal(scene.consumer.result->failure, row->want);
    scene.provider[0].returns = 0;
    run(&scene, pcw_consumer_collect);
    assert_int_equal(scene.consumer.result->failure, 0);
    run(&scene, pcw_consumer_close);
    booted_release(&scene.booted);
}

/* It is known with the result that comes next. */
static void failure_of_add_counter_is_known(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    provide(&scene, 0);
    scene.provider[0].returns = (NTSTATUS)0xC0000001;
    run(&scene, pcw_consumer_open);
    scene.provider[0].returns = 0;
    run(&scene, pcw_consumer_collect);
    assert_int_equal(scene.consumer.result->failure, 0xC0000001);
    run(&scene, pcw_consumer_collect);
    assert_int_equal(scene.consumer.result->failure, 0);
    run(&scene, pcw_consumer_close);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_query)
{
    TEST_ADD_ROWS(list, order_row, order_rows);
    TEST_ADD_ROWS(list, single_row, single_rows);
    TEST_ADD_ROWS(list, late_row, late_rows);
    test_add(list, "mask_is_new_for_every_callback",
        mask_is_new_for_every_callback, NULL);
    TEST_ADD_ROWS(list, cancel_row, cancel_rows);
    TEST_ADD_ROWS(list, failure_row, failure_rows);
    test_add(list, "failure_of_add_counter_is_known",
        failure_of_add_counter_is_known, NULL);
    test_add(list, "enumeration_is_alone_and_has_no_values",
        enumeration_is_alone_and_has_no_values, NULL);
}
