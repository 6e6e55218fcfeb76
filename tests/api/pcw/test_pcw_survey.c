/* test_pcw_survey.c - a set as Performance Monitor consumes it: what its
 * callback says each time that it is asked for all, and what disagrees. */
#include "api/pcw/survey.h"

#include <stdio.h>

#include "tests/api/pcw/pcw_named_scene.h"

enum { ANSWERS = 5, SAID = 3 };

struct said {
    struct named named[SAID + 1];
};

#define SAID(...)                                                              \
    {                                                                          \
        {                                                                      \
            __VA_ARGS__, END                                                   \
        }                                                                      \
    }
#define NOBODY                                                                 \
    {                                                                          \
        {                                                                      \
            END                                                                \
        }                                                                      \
    }

/* What it says when it lists, collects, lists, collects and lists. */
static struct survey_row {
    const char *name;
    struct said said[ANSWERS];
    const char *want[3]; /* subjects; NULL: no more */
    bool hides;          /* those that are asked for alone */
    unsigned alone;      /* how often pcw.instance.alone is broken */
} survey_rows[] = {
    {"same_each_time",
        {SAID(NAMED(u"A", 1)), SAID(NAMED(u"A", 1)), SAID(NAMED(u"A", 1)),
            SAID(NAMED(u"A", 1)), SAID(NAMED(u"A", 1))},
        {NULL}, false, 0},
    {"in_another_order",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"B", 2), NAMED(u"A", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"B", 2), NAMED(u"A", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2))},
        {NULL}, false, 0},
    {"other_name",
        {SAID(NAMED(u"A", 1)), SAID(NAMED(u"B", 1)), SAID(NAMED(u"A", 1)),
            SAID(NAMED(u"B", 1)), SAID(NAMED(u"A", 1))},
        {"'Disk': id 1 is 'A' in the list and 'B' in the collection"}, false,
        0},
    {"other_id",
        {SAID(NAMED(u"A", 1)), SAID(NAMED(u"A", 2)), SAID(NAMED(u"A", 1)),
            SAID(NAMED(u"A", 2)), SAID(NAMED(u"A", 1))},
        {"'Disk': 'A' has id 1 in the list and id 2 in the collection"}, false,
        0},
    {"other_name_of_a_lone_one_with_id_0",
        {SAID(NAMED(u"A", 0)), SAID(NAMED(u"B", 0)), SAID(NAMED(u"A", 0)),
            SAID(NAMED(u"B", 0)), SAID(NAMED(u"A", 0))},
        {"'Disk': 'A', id 0, is listed and not collected",
            "'Disk': 'B', id 0, is collected and not listed"},
        false, 0},
    {"one_id_for_all",
        {SAID(NAMED(u"A", 0), NAMED(u"B", 0)),
            SAID(NAMED(u"A", 0), NAMED(u"B", 0)),
            SAID(NAMED(u"A", 0), NAMED(u"B", 0)),
            SAID(NAMED(u"A", 0), NAMED(u"B", 0)),
            SAID(NAMED(u"A", 0), NAMED(u"B", 0))},
        {NULL}, false, 0},
    {"not_collected",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"A", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"A", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2))},
        {"'Disk': 'B', id 2, is listed and not collected"}, false, 0},
    {"nobody_listed",
        {NOBODY, SAID(NAMED(u"A", 1)), NOBODY, SAID(NAMED(u"A", 1)), NOBODY},
        {"'Disk': 'A', id 1, is collected and not listed"}, false, 0},
    {"comes_behind_the_list",
        {SAID(NAMED(u"B", 2)), SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2))},
        {NULL}, false, 0},
    {"goes_behind_the_list",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"B", 2)),
            SAID(NAMED(u"B", 2)), SAID(NAMED(u"B", 2)), SAID(NAMED(u"B", 2))},
        {NULL}, false, 0},
    {"was_away_for_a_moment",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2))},
        {NULL}, false, 0},
    {"was_there_for_a_moment",
        {SAID(NAMED(u"B", 2)), SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"B", 2)), SAID(NAMED(u"B", 2)), SAID(NAMED(u"B", 2))},
        {NULL}, false, 0},
    {"goes_behind_the_second_collection",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"B", 2)),
            SAID(NAMED(u"B", 2))},
        {NULL}, false, 0},
    {"other_name_of_one_of_two_with_its_id",
        {SAID(NAMED(u"A", 1), NAMED(u"C", 1)), SAID(NAMED(u"B", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"C", 1)), SAID(NAMED(u"B", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"C", 1))},
        {"'Disk': 'A', id 1, is listed and not collected",
            "'Disk': 'C', id 1, is listed and not collected",
            "'Disk': 'B', id 1, is collected and not listed"},
        false, 0},
    {"other_id_of_one_of_two_with_its_name",
        {SAID(NAMED(u"A", 1), NAMED(u"A", 2)), SAID(NAMED(u"A", 3)),
            SAID(NAMED(u"A", 1), NAMED(u"A", 2)), SAID(NAMED(u"A", 3)),
            SAID(NAMED(u"A", 1), NAMED(u"A", 2))},
        {"'Disk': 'A', id 1, is listed and not collected",
            "'Disk': 'A', id 2, is listed and not collected",
            "'Disk': 'A', id 3, is collected and not listed"},
        false, 0},
    {"hides_when_alone",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2))},
        {"'Disk': 'A', id 1", "'Disk': 'B', id 2"}, true, 2},
    {"is_not_collected_and_hides_when_alone",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"A", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)), SAID(NAMED(u"A", 1)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2))},
        {"'Disk': 'B', id 2, is listed and not collected", "'Disk': 'A', id 1"},
        true, 1},
};

/* What the callback goes by. */
struct script {
    struct scene scene;
    const struct survey_row *row;
    unsigned asked;
};

static void say(struct pcw_provider *provider, uint64_t type)
{
    struct script *script = provider->argument;
    const struct pcw_noted *noted =
        &provider->noted[(provider->calls - 1) % PCW_SCENE_CALLS];
    unsigned n = script->asked < ANSWERS ? script->asked : ANSWERS - 1;
    bool alone = noted->info.CollectData.InstanceId != PCW_ANY_INSTANCE_ID;

    if (type < PcwCallbackEnumerateInstances) {
        return;
    }
    if (alone && script->row->hides) {
        provider->adds = 0;
        return;
    }
    script->asked += !alone;
    plan(&script->scene, script->row->said[n].named);
}

static void survey_main(void *argument)
{
    struct script *script = argument;
    const struct pcw_survey outcome = pcw_survey(
        &script->scene.booted.kernel, &script->scene.consumer.filter);

    assert_false(outcome.no_memory || outcome.too_many);
    assert_int_equal(outcome.failure, 0);
}

/* What the survey has said, and no other rule. */
static void check_said(
    const struct rule_log *log, const char *const want[], unsigned most)
{
    unsigned said = 0;

    for (size_t i = 0; i < log->count; i++) {
        if (log->event[i].rule == RULE_PCW_INSTANCE_DISAGREES ||
            log->event[i].rule == RULE_PCW_INSTANCE_ALONE) {
            assert_true(said < most && want[said] != NULL);
            assert_string_equal(log->event[i].subject, want[said]);
            said++;
        }
    }
    assert_true(said == most || want[said] == NULL);
}

static void survey_row(void **state)
{
    struct script script = {.row = *state};

    scene_init(&script.scene);
    script.scene.provider.during = say;
    script.scene.provider.argument = &script;
    booted_run(&script.scene.booted, 0, survey_main, &script);
    check_said(&script.scene.booted.kernel.rules, script.row->want, 3);
    assert_int_equal(
        booted_broken(&script.scene.booted, RULE_PCW_INSTANCE_ALONE),
        script.row->alone);
    assert_int_equal(
        pcw_provider_count(&script.scene.provider, PcwCallbackAddCounter),
        pcw_provider_count(&script.scene.provider, PcwCallbackRemoveCounter));
    booted_release(&script.scene.booted);
}

/* Who agrees at once is not asked for more: how many lists it gives. */
static struct looks_row {
    const char *name;
    struct survey_row said;
    unsigned want_lists;
} looks_rows[] = {
    {"two_lists_of_one_that_agrees",
        {.said = {SAID(NAMED(u"A", 1)), SAID(NAMED(u"A", 1)),
             SAID(NAMED(u"A", 1)), SAID(NAMED(u"A", 1)), SAID(NAMED(u"A", 1))}},
        2},
    {"three_lists_of_one_that_disagrees",
        {.said = {SAID(NAMED(u"A", 1)), NOBODY, SAID(NAMED(u"A", 1)), NOBODY,
             SAID(NAMED(u"A", 1))}},
        3},
};

static void looks_row(void **state)
{
    const struct looks_row *row = *state;
    struct script script = {.row = &row->said};

    scene_init(&script.scene);
    script.scene.provider.during = say;
    script.scene.provider.argument = &script;
    booted_run(&script.scene.booted, 0, survey_main, &script);
    assert_int_equal(pcw_provider_count(
                         &script.scene.provider, PcwCallbackEnumerateInstances),
        row->want_lists);
    booted_release(&script.scene.booted);
}

/* Sets of one name, and what their callback says of both: five instances in a
 * list, none in a collection. */
static void list_five(struct pcw_provider *provider, uint64_t type)
{
    static const struct named five[] = {NAMED(u"A", 1), NAMED(u"B", 2),
        NAMED(u"C", 3), NAMED(u"D", 4), NAMED(u"E", 5), END};
    static const struct named none[] = {END};

    if (type >= PcwCallbackEnumerateInstances) {
        plan(provider->argument,
            type == PcwCallbackEnumerateInstances ? five : none);
    }
}

static void quiet_main(void *argument)
{
    struct scene *scene = argument;
    const struct pcw_survey outcome =
        pcw_survey(&scene->booted.kernel, &scene->consumer.filter);

    assert_false(outcome.no_memory || outcome.too_many);
}

static void eight_disagreements_are_told_of(void **state)
{
    struct scene scene;
    const struct pcw_set second = {.name = PCW_TEXT(u"Disk"),
        .callback = pcw_callback_of_scene,
        .context = &scene.provider};

    (void)state;
    scene_init(&scene);
    pcw_register(&scene.booted, &second);
    scene.provider.during = list_five;
    scene.provider.argument = &scene;
    booted_run(&scene.booted, 0, quiet_main, &scene);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_INSTANCE_DISAGREES), 8);
    booted_release(&scene.booted);
}

/* When the guest's memory is full: the callback fills it when it is asked for
 * the n-th time, counted from 1; 0: before it is asked. */
static struct full_row {
    const char *name;
    unsigned asked;
    bool agrees; /* else what is listed is not collected */
    bool said;   /* the survey says that there was no memory */
} full_rows[] = {
    {"full_before_the_first_list", 0, true, true},
    {"full_before_the_collection", 1, true, true},
    {"full_before_the_second_list", 2, true, true},
    {"full_before_the_second_collection", 3, false, true},
    {"full_before_the_last_list", 4, false, true},
    {"full_before_one_is_asked_for_alone", 3, true, true},
};

struct filler {
    struct scene scene;
    const struct full_row *row;
    unsigned asked;
};

static void fill(struct scene *scene)
{
    struct memory *memory = &scene->booted.machine.memory;

    for (size_t bytes = (size_t)1 << 30; bytes > 0; bytes /= 2) {
        while (memory_alloc(memory, bytes, 0) != NULL) {
        }
    }
}

static void say_and_fill(struct pcw_provider *provider, uint64_t type)
{
    static const struct named one[] = {NAMED(u"A", 1), END};
    static const struct named none[] = {END};
    struct filler *filler = provider->argument;

    if (type < PcwCallbackEnumerateInstances) {
        return;
    }
    plan(&filler->scene,
        type == PcwCallbackEnumerateInstances || filler->row->agrees ? one
                                                                     : none);
    if (++filler->asked == filler->row->asked) {
        fill(&filler->scene);
    }
}

static void full_main(void *argument)
{
    struct filler *filler = argument;
    struct scene *scene = &filler->scene;
    struct pcw_survey outcome;

    if (filler->row->asked == 0) {
        fill(scene);
    }
    outcome = pcw_survey(&scene->booted.kernel, &scene->consumer.filter);
    assert_int_equal(outcome.no_memory, filler->row->said);
}

static void full_row(void **state)
{
    struct filler filler = {.row = *state};

    scene_init(&filler.scene);
    filler.scene.provider.during = say_and_fill;
    filler.scene.provider.argument = &filler;
    booted_run(&filler.scene.booted, 0, full_main, &filler);
    assert_int_equal(filler.asked, filler.row->asked);
    check_said(&filler.scene.booted.kernel.rules, (const char *[1]){NULL}, 1);
    assert_null(pcw_query_find(&filler.scene.booted.kernel, 1));
    booted_release(&filler.scene.booted);
}

static void fails_main(void *argument)
{
    struct scene *scene = argument;
    const struct pcw_survey outcome =
        pcw_survey(&scene->booted.kernel, &scene->consumer.filter);

    assert_int_equal(outcome.failure, 0xC0000001);
}

static void list_that_fails_is_told_of(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.provider.returns = STATUS_UNSUCCESSFUL;
    booted_run(&scene.booted, 0, fails_main, &scene);
    booted_release(&scene.booted);
}

static void many_main(void *argument)
{
    struct scene *scene = argument;
    const struct pcw_survey outcome =
        pcw_survey(&scene->booted.kernel, &scene->consumer.filter);

    assert_true(outcome.too_many);
}

/* Names of created instances: 4 digits. */
static void create(struct scene *scene, unsigned n)
{
    const uint16_t name[] = {(uint16_t)('0' + n / 1000),
        (uint16_t)('0' + n / 100 % 10), (uint16_t)('0' + n / 10 % 10),
        (uint16_t)('0' + n % 10)};

    pcw_create(&scene->booted, scene->registration, (struct pcw_text){name, 4},
        NULL, 0);
}

static void more_than_4096_are_not_compared(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    for (unsigned i = 0; i < 4096; i++) {
        create(&scene, i);
    }
    booted_run(&scene.booted, 0, quiet_main, &scene);
    create(&scene, 4096);
    booted_run(&scene.booted, 0, many_main, &scene);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_survey)
{
    TEST_ADD_ROWS(list, survey_row, survey_rows);
    TEST_ADD_ROWS(list, looks_row, looks_rows);
    TEST_ADD_ROWS(list, full_row, full_rows);
    test_add(list, "eight_disagreements_are_told_of",
        eight_disagreements_are_told_of, NULL);
    test_add(
        list, "list_that_fails_is_told_of", list_that_fails_is_told_of, NULL);
    test_add(list, "more_than_4096_are_not_compared",
        more_than_4096_are_not_compared, NULL);
}
