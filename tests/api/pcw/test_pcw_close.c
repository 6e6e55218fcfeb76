/* test_pcw_close.c - the end of instances and registrations, handles that are
 * not open, and data that goes before its instance (facts.md 5.3 to 5.5). */
#include "api/core/leaks.h"
#include "api/core/show.h"
#include "api/core/thread.h"
#include "api/pcw/pcw.h"
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR counter[] = {{.Id = 1, .Size = 8}};

static const struct pcw_set disk = {
    .name = PCW_TEXT_ROW(u"Disk"), .counter = counter, .count = 1};

/* What a call gets for a handle; the instance C is open, D is closed, and E was
 * closed with its registration. */
enum handle { NULL_HANDLE, WILD, ODD, NEXT, OPEN, CLOSED, CLOSED_WITH, OTHER };

static struct row {
    const char *name;
    enum routine routine;
    enum handle handle;
    enum ruled ruled;
    const char *want_rule; /* NULL: it is right */
    int want_code;         /* of the bug check; -1: the call goes on */
    uint32_t want;
} rows[] = {
    {"close_an_instance", ROUTINE_PcwCloseInstance, OPEN, PCW_USUAL, NULL, -1,
        0},
    {"close_null", ROUTINE_PcwCloseInstance, NULL_HANDLE, PCW_USUAL,
        "pcw.close.null", 0x1E, 0},
    {"close_twice", ROUTINE_PcwCloseInstance, CLOSED, PCW_USUAL,
        "pcw.close.twice", 0x50, 0},
    {"close_after_unregister", ROUTINE_PcwCloseInstance, CLOSED_WITH, PCW_USUAL,
        "pcw.close.after_unregister", 0x50, 0},
    {"close_what_was_never_open", ROUTINE_PcwCloseInstance, WILD, PCW_USUAL,
        "pcw.close.wild", 0x50, 0},
    {"close_between_handles", ROUTINE_PcwCloseInstance, ODD, PCW_USUAL,
        "pcw.close.wild", 0x50, 0},
    {"close_the_next_handle", ROUTINE_PcwCloseInstance, NEXT, PCW_USUAL,
        "pcw.close.wild", 0x50, 0},
    {"close_a_registration", ROUTINE_PcwCloseInstance, OTHER, PCW_USUAL,
        "pcw.close.wild", 0x50, 0},
    {"close_null_is_reported", ROUTINE_PcwCloseInstance, NULL_HANDLE,
        RULED_PCW_CLS_03a_event, "pcw.close.null", -1, 0},
    {"close_twice_is_reported", ROUTINE_PcwCloseInstance, CLOSED,
        RULED_PCW_CLS_03a_event, "pcw.close.twice", -1, 0},
    {"close_of_nothing_is_reported", ROUTINE_PcwCloseInstance, WILD,
        RULED_PCW_CLS_03a_event, "pcw.close.wild", -1, 0},
    {"close_after_unregister_is_documented", ROUTINE_PcwCloseInstance,
        CLOSED_WITH, RULED_PCW_CLS_03a_event, "pcw.close.after_unregister",
        0x50, 0},
    {"unregister", ROUTINE_PcwUnregister, OPEN, PCW_USUAL, NULL, -1, 0},
    {"unregister_null", ROUTINE_PcwUnregister, NULL_HANDLE, PCW_USUAL,
        "pcw.unregister.null", 0x1E, 0},
    {"unregister_twice", ROUTINE_PcwUnregister, CLOSED, PCW_USUAL,
        "pcw.unregister.stale", 0x50, 0},
    {"unregister_what_was_never_open", ROUTINE_PcwUnregister, WILD, PCW_USUAL,
        "pcw.unregister.stale", 0x50, 0},
    {"unregister_an_instance", ROUTINE_PcwUnregister, OTHER, PCW_USUAL,
        "pcw.unregister.stale", 0x50, 0},
    {"unregister_null_is_reported", ROUTINE_PcwUnregister, NULL_HANDLE,
        RULED_PCW_UNR_04_event, "pcw.unregister.null", -1, 0},
    {"unregister_twice_is_reported", ROUTINE_PcwUnregister, CLOSED,
        RULED_PCW_UNR_04_event, "pcw.unregister.stale", -1, 0},
    {"create_in_a_closed_registration", ROUTINE_PcwCreateInstance, CLOSED,
        PCW_USUAL, "pcw.create.stale", 0x50, 0},
    {"create_in_an_instance", ROUTINE_PcwCreateInstance, OTHER, PCW_USUAL,
        "pcw.create.stale", 0x50, 0},
    {"create_in_a_closed_registration_is_parameter_2",
        ROUTINE_PcwCreateInstance, CLOSED, RULED_PCW_CRE_19_status, NULL, -1,
        0xC00000F0},
    {"create_in_null_is_parameter_2", ROUTINE_PcwCreateInstance, NULL_HANDLE,
        RULED_PCW_CRE_10a_status, "pcw.registration.null", -1, 0xC00000F0},
};

struct scene {
    struct booted_kernel booted;
    uint64_t registration, other;    /* open, closed */
    uint64_t instance, closed, with; /* open, closed, closed with `other` */
};

static void scene_init(struct scene *scene)
{
    const uint8_t *block;

    *scene = (struct scene){.registration = 0};
    booted_init_usual(&scene->booted);
    block = booted_block(&scene->booted, 8, 7);
    scene->registration = pcw_register(&scene->booted, &disk);
    scene->other = pcw_register(&scene->booted, &disk);
    scene->instance = pcw_create(
        &scene->booted, scene->registration, PCW_TEXT(u"C"), block, 8);
    scene->closed = pcw_create(
        &scene->booted, scene->registration, PCW_TEXT(u"D"), block, 8);
    scene->with =
        pcw_create(&scene->booted, scene->other, PCW_TEXT(u"E"), block, 8);
    pcw_close(&scene->booted, scene->closed);
    pcw_unregister(&scene->booted, scene->other);
}

static uint64_t handle_of(const struct scene *scene, const struct row *row)
{
    bool instance = row->routine == ROUTINE_PcwCloseInstance;
    uint64_t open = instance ? scene->instance : scene->registration;

    switch (row->handle) {
    case NULL_HANDLE:
        return 0;
    case WILD:
        return 0xFFFF800012345000;
    case ODD:
        return open + 8;
    case NEXT:
        return scene->with + 0x40;
    case OPEN:
        return open;
    case CLOSED:
        return instance ? scene->closed : scene->other;
    case CLOSED_WITH:
        return scene->with;
    case OTHER:
        return instance ? scene->registration : scene->instance;
    }
    return 0;
}

static void handle_row(void **state)
{
    const struct row *row = *state;
    struct scene scene;
    struct pcw_job job = {.routine = row->routine};
    const struct rule_log *log = &scene.booted.kernel.rules;

    scene_init(&scene);
    pcw_flip(&scene.booted, row->ruled);
    job.argument[0] = handle_of(&scene, row);
    if (row->routine == ROUTINE_PcwCreateInstance) {
        job.argument[1] = job.argument[0];
        job.argument[0] = pcw_value(booted_block(&scene.booted, 8, 0));
        job.argument[2] = pcw_value(pcw_name(&scene.booted, PCW_TEXT(u"F")));
    }
    if (row->want_code >= 0) {
        booted_run_to_stop(&scene.booted, 0, pcw_job_main, &job);
        assert_false(job.done);
        assert_int_equal(scene.booted.kernel.bugcheck.code, row->want_code);
    } else {
        pcw_run(&scene.booted, &job);
        assert_false(job.raised);
    }
    if (row->routine == ROUTINE_PcwCreateInstance) {
        assert_int_equal(job.status, row->want);
    }
    assert_int_equal(log->count, row->want_rule != NULL);
    if (row->want_rule != NULL) {
        assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
        assert_int_equal(log->event[0].routine, row->routine);
    }
    booted_release(&scene.booted);
}

static void registration_null_raises(void **state)
{
    struct scene scene;
    struct pcw_job job = {.routine = ROUTINE_PcwCreateInstance};

    (void)state;
    scene_init(&scene);
    job.argument[0] = pcw_value(booted_block(&scene.booted, 8, 0));
    pcw_run(&scene.booted, &job);
    assert_true(job.raised);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_REGISTRATION_NULL), 1);
    booted_release(&scene.booted);
}

static void handles_have_names_in_traces(void **state)
{
    struct scene scene;
    struct kernel *kernel = &scene.booted.kernel;
    char text[SHOW_NAME_BYTES];

    (void)state;
    scene_init(&scene);
    assert_true(pcw_namer.handle(kernel, scene.other, text, sizeof(text)));
    assert_string_equal(text, "registration#2");
    assert_true(pcw_namer.handle(kernel, scene.with, text, sizeof(text)));
    assert_string_equal(text, "instance#3");
    assert_false(pcw_namer.handle(kernel, 0, text, sizeof(text)));
    assert_false(
        pcw_namer.handle(kernel, scene.with + 0x40, text, sizeof(text)));
    assert_false(pcw_namer.handle(kernel, scene.with - 8, text, sizeof(text)));
    booted_release(&scene.booted);
}

static void closed_instances_are_not_collected(void **state)
{
    struct scene scene;
    struct pcw_consumer consumer;

    (void)state;
    scene_init(&scene);
    consumer = pcw_consumer_of(&scene.booted, PCW_TEXT(u"Disk"));
    pcw_collect_once(&scene.booted, &consumer);
    assert_int_equal(consumer.result->row_count, 1);
    pcw_assert_text(consumer.result->row[0].name, PCW_TEXT(u"C"));
    pcw_close(&scene.booted, scene.instance);
    pcw_collect_once(&scene.booted, &consumer);
    assert_int_equal(consumer.result->row_count, 0);
    /* The name is free again. */
    pcw_create(&scene.booted, scene.registration, PCW_TEXT(u"c"),
        booted_block(&scene.booted, 8, 0), 8);
    pcw_collect_once(&scene.booted, &consumer);
    assert_int_equal(consumer.result->row_count, 1);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    pcw_unregister(&scene.booted, scene.registration);
    pcw_collect_once(&scene.booted, &consumer);
    assert_int_equal(consumer.result->row_count, 0);
    assert_null(scene.booted.kernel.pcw->first);
    booted_release(&scene.booted);
}

enum { MANY = 160 };

/* Instances from the list's ends and its middle, and names beyond the first
 * table of names. */
static void many_instances_come_and_go(void **state)
{
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    uint64_t registration, instance[MANY];
    uint8_t *block;

    (void)state;
    booted_init_usual(&booted);
    registration = pcw_register(&booted, &disk);
    block = booted_block(&booted, 8, 0);
    for (uint16_t i = 0; i < MANY; i++) {
        const uint16_t name[] = {
            (uint16_t)(u'A' + i % 8), (uint16_t)(u'A' + i / 8)};

        instance[i] = pcw_create(
            &booted, registration, (struct pcw_text){name, 2}, block, 8);
    }
    assert_int_equal(booted.kernel.rules.count, 0);
    for (unsigned i = 0; i < MANY; i++) {
        if (i % 4 != 1) {
            pcw_close(&booted, instance[i]);
        }
    }
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(consumer.result->row_count, MANY / 4);
    for (unsigned i = 0; i < MANY / 4; i++) {
        assert_int_equal(consumer.result->row[i].id, 4 * i + 1);
    }
    for (uint16_t i = 0; i < MANY; i++) {
        const uint16_t name[] = {
            (uint16_t)(u'A' + i % 8), (uint16_t)(u'A' + i / 8)};

        pcw_create(&booted, registration, (struct pcw_text){name, 2}, block, 8);
    }
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(consumer.result->row_count, MANY + MANY / 4);
    for (unsigned i = 0; i < MANY + MANY / 4; i++) {
        assert_int_equal(consumer.result->row[i].value_count, 1);
    }
    assert_int_equal(
        booted_broken(&booted, RULE_PCW_INSTANCE_SAME_NAME), MANY / 4);
    booted_release(&booted);
}

struct told {
    struct booted_kernel booted;
    unsigned count;
    enum pcw_kind kind[3];
    uint32_t number[3];
};

static void note_closing(void *context, enum pcw_kind kind, uint32_t number)
{
    struct told *told = context;

    assert_in_range(told->count, 0, 2);
    told->kind[told->count] = kind;
    told->number[told->count++] = number;
}

/* Before it goes, and of what is open alone. */
static void observer_is_told_what_is_closed(void **state)
{
    struct told told = {.count = 0};
    uint64_t registration, instance;

    (void)state;
    booted_init_usual(&told.booted);
    registration = pcw_register(&told.booted, &disk);
    pcw_create(&told.booted, registration, PCW_TEXT(u"C"),
        booted_block(&told.booted, 8, 0), 8);
    instance = pcw_create(&told.booted, registration, PCW_TEXT(u"D"),
        booted_block(&told.booted, 8, 0), 8);
    pcw_flip(&told.booted, RULED_PCW_CLS_03a_event);
    told.booted.kernel.pcw->observer =
        (struct pcw_observer){note_closing, &told};
    pcw_close(&told.booted, instance);
    pcw_close(&told.booted, instance);
    pcw_unregister(&told.booted, registration);
    assert_int_equal(told.count, 2);
    assert_int_equal(told.kind[0], PCW_INSTANCE);
    assert_int_equal(told.number[0], 2);
    assert_int_equal(told.kind[1], PCW_REGISTRATION);
    assert_int_equal(told.number[1], 1);
    booted_release(&told.booted);
}

static void note(void *context, const struct leak_found *found)
{
    char *noted = context;

    strcat(noted, leak_names[found->leak]);
    strcat(noted, ": ");
    strcat(noted, found->text);
    strcat(noted, "\n");
}

static void report(void *argument)
{
    struct scene *scene = argument;

    leaks_report(&scene->booted.kernel, &scene->booted.driver);
}

static void list_held(
    struct scene *scene, const struct driver *driver, char *noted)
{
    leaks_list(
        &scene->booted.kernel, &(struct leak_listing){driver, note, noted});
}

static void what_is_left_open_is_leaked(void **state)
{
    static const struct driver other = {.name = "other"};
    struct scene scene;
    char noted[200] = "";

    (void)state;
    scene_init(&scene);
    pcw_create(&scene.booted, scene.registration, PCW_TEXT(u""),
        booted_block(&scene.booted, 8, 0), 8);
    list_held(&scene, &other, noted);
    assert_string_equal(noted, "");
    list_held(&scene, &scene.booted.driver, noted);
    assert_string_equal(noted, "pcw_registration: Disk\n"
                               "pcw_instance: C\n"
                               "pcw_instance: without a name\n");
    booted_run(&scene.booted, 0, report, &scene);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_LEAK_PCW_REGISTRATION), 1);
    assert_int_equal(booted_broken(&scene.booted, RULE_LEAK_PCW_INSTANCE), 2);
    pcw_unregister(&scene.booted, scene.registration);
    noted[0] = '\0';
    list_held(&scene, &scene.booted.driver, noted);
    assert_string_equal(noted, "");
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_close)
{
    TEST_ADD_ROWS(list, handle_row, rows);
    test_add(list, "registration_null_raises", registration_null_raises, NULL);
    test_add(list, "handles_have_names_in_traces", handles_have_names_in_traces,
        NULL);
    test_add(list, "closed_instances_are_not_collected",
        closed_instances_are_not_collected, NULL);
    test_add(
        list, "many_instances_come_and_go", many_instances_come_and_go, NULL);
    test_add(list, "observer_is_told_what_is_closed",
        observer_is_told_what_is_closed, NULL);
    test_add(
        list, "what_is_left_open_is_leaked", what_is_left_open_is_leaked, NULL);
}
