/* test_pcw_arguments.c - what a callback is given for each of its types
 * (facts.md 5.1, 5.7). */
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR counters[] = {
    {.Id = 1, .StructIndex = 0, .Offset = 0, .Size = 4},
    {.Id = 2, .StructIndex = 0, .Offset = 8, .Size = 8},
};

struct scene {
    struct booted_kernel booted;
    struct pcw_provider provider;
    struct pcw_consumer consumer;
};

static void scene_init(struct scene *scene)
{
    *scene = (struct scene){.provider = {.adds = 0}};
    booted_init_usual(&scene->booted);
    scene->consumer = pcw_consumer_of(&scene->booted, PCW_TEXT(u"Disk"));
}

/* A set with a callback. */
static uint64_t provide(struct scene *scene)
{
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .counter = counters,
        .count = 2,
        .callback = pcw_callback_of_scene,
        .context = &scene->provider};

    return pcw_register(&scene->booted, &set);
}

static void run(struct scene *scene, void (*what)(void *argument))
{
    booted_run(&scene->booted, 0, what, &scene->consumer);
}

/* A notification event that nobody waits for, of six LONGs. */
static void assert_event_looks_like_one(const struct pcw_noted *noted)
{
    uint64_t address = pcw_value(noted->info.CollectData.CancelEvent);

    assert_memory_equal(noted->event, "\0\0\6\0\0\0\0", 8);
    for (unsigned i = 8; i < 24; i += 8) {
        uint64_t link;

        memcpy(&link, &noted->event[i], sizeof(link));
        assert_int_equal(link, address + 8);
    }
}

static void filters_are_announced_and_taken_back(void **state)
{
    static const uint64_t want[] = {PcwCallbackAddCounter,
        PcwCallbackCollectData, PcwCallbackCollectData,
        PcwCallbackRemoveCounter};
    struct scene scene;
    const struct pcw_noted *noted = scene.provider.noted;

    (void)state;
    scene_init(&scene);
    provide(&scene);
    scene.consumer.filter.counters = 0x8000000000000006;
    scene.consumer.filter.instance = PCW_TEXT(u"x?*");
    scene.consumer.filter.id = 7;
    scene.consumer.filter.multiple = true;
    pcw_collect_once(&scene.booted, &scene.consumer);
    run(&scene, pcw_consumer_collect);
    run(&scene, pcw_consumer_close);
    assert_int_equal(scene.provider.calls, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(noted[i].type, want[i]);
        assert_int_equal(
            noted[i].info.AddCounter.CounterMask, 0x8000000000000006);
        assert_int_equal(noted[i].mask.Length, 6);
        assert_int_equal(noted[i].mask_first, 'x');
        assert_int_equal(noted[i].irql, 0);
        assert_ptr_equal(noted[i].owner, &scene.booted.driver);
    }
    assert_int_equal(noted[1].info.CollectData.InstanceId, 7);
    assert_int_equal(noted[1].info.CollectData.CollectMultiple, 1);
    assert_int_equal(
        pcw_value(noted[1].info.CollectData.Buffer), 0xFFFFE90300000040);
    assert_int_equal(
        pcw_value(noted[2].info.CollectData.Buffer), 0xFFFFE90300000080);
    assert_event_looks_like_one(&noted[2]);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    booted_release(&scene.booted);
}

/* Of the union's members AddCounter and RemoveCounter have the first two. */
static void other_members_of_the_union_are_nobodys(void **state)
{
    struct scene scene;
    const struct pcw_noted *noted = scene.provider.noted;

    (void)state;
    scene_init(&scene);
    provide(&scene);
    pcw_collect_once(&scene.booted, &scene.consumer);
    run(&scene, pcw_consumer_close);
    for (unsigned i = 0; i < 3; i += 2) {
        assert_int_equal(noted[i].info.CollectData.InstanceId, 0xBAD0BAD0);
        assert_int_equal(
            pcw_value(noted[i].info.CollectData.Buffer), 0xFFFFBAD0BAD0BAD0);
        assert_int_equal(pcw_value(noted[i].info.CollectData.CancelEvent),
            0xFFFFBAD0BAD0BAD0);
    }
    booted_release(&scene.booted);
}

static void call_of_whatever_type_adds(
    struct pcw_provider *provider, uint64_t type)
{
    const struct pcw_noted *noted = &provider->noted[provider->calls - 1];

    if (type == PcwCallbackAddCounter) {
        provider->add[0].argument[0] =
            pcw_value(noted->info.CollectData.Buffer);
        pcw_job_main(&provider->add[0]);
    }
}

static void adding_to_what_has_no_buffer_is_the_wrong_member(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    provide(&scene);
    pcw_provider_add(
        &scene.provider, pcw_name(&scene.booted, PCW_TEXT(u"C:")), 0, 0, NULL);
    scene.provider.during = call_of_whatever_type_adds;
    booted_run_to_stop(&scene.booted, 0, pcw_consumer_open, &scene.consumer);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_ADD_WRONG_MEMBER), 1);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0x50);
    booted_release(&scene.booted);
}

/* Wildcards of any length: what the callback reads must be where a compiler
 * expects it. */
static void arguments_are_aligned(void **state)
{
    static const uint16_t text[] = u"*????????????????";

    (void)state;
    for (size_t length = 1; length < 17; length++) {
        struct scene scene;

        scene_init(&scene);
        provide(&scene);
        scene.consumer.filter.instance = (struct pcw_text){text, length};
        pcw_collect_once(&scene.booted, &scene.consumer);
        assert_int_equal(scene.provider.noted[1].mask.Length, 2 * length);
        assert_int_equal(
            pcw_value(scene.provider.noted[1].info.CollectData.CancelEvent) %
                16,
            0);
        booted_release(&scene.booted);
    }
}

static unsigned traced(struct scene *scene, const char *text)
{
    const struct trace *trace = &scene->booted.machine.trace;
    unsigned count = 0;

    for (size_t i = 0; i < trace->count; i++) {
        char line[2000];

        trace_format(trace, i, line, sizeof(line));
        count += strstr(line, text) != NULL;
    }
    return count;
}

static void callbacks_are_in_the_trace(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    provide(&scene);
    provide(&scene);
    scene.provider.returns = (NTSTATUS)0xC0000001;
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(traced(&scene, " pcw_callback registration=2 "
                                    "type=PcwCallbackAddCounter"),
        1);
    assert_int_equal(traced(&scene, " pcw_callback registration=1 "
                                    "type=PcwCallbackCollectData"),
        1);
    assert_int_equal(
        traced(&scene, " driver_call driver=sampler routine=PCW_CALLBACK"), 4);
    assert_int_equal(
        traced(&scene, " driver_return driver=sampler routine=PCW_CALLBACK "
                       "status=STATUS_UNSUCCESSFUL"),
        4);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_arguments)
{
    test_add(list, "filters_are_announced_and_taken_back",
        filters_are_announced_and_taken_back, NULL);
    test_add(list, "other_members_of_the_union_are_nobodys",
        other_members_of_the_union_are_nobodys, NULL);
    test_add(list, "adding_to_what_has_no_buffer_is_the_wrong_member",
        adding_to_what_has_no_buffer_is_the_wrong_member, NULL);
    test_add(list, "arguments_are_aligned", arguments_are_aligned, NULL);
    test_add(
        list, "callbacks_are_in_the_trace", callbacks_are_in_the_trace, NULL);
}
