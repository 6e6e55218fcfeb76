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
    const char *want[2]; /* subjects; NULL: no more */
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
    {"hides_when_alone",
        {SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2)),
            SAID(NAMED(u"A", 1), NAMED(u"B", 2))},
        {"'Disk': 'A', id 1", "'Disk': 'B', id 2"}, true, 2},
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

static void survey_row(void **state)
{
    struct script script = {.row = *state};
    const struct rule_log *log;

    scene_init(&script.scene);
    log = &script.scene.booted.kernel.rules;
    script.scene.provider.during = say;
    script.scene.provider.argument = &script;
    booted_run(&script.scene.booted, 0, survey_main, &script);
    for (unsigned i = 0; i < 2 && script.row->want[i] != NULL; i++) {
        assert_true(log->count > i);
        assert_string_equal(log->event[i].subject, script.row->want[i]);
    }
    assert_int_equal(log->count,
        (script.row->want[0] != NULL) + (script.row->want[1] != NULL));
    assert_int_equal(
        booted_broken(&script.scene.booted, RULE_PCW_INSTANCE_ALONE),
        script.row->alone);
    assert_int_equal(
        pcw_provider_count(&script.scene.provider, PcwCallbackAddCounter),
        pcw_provider_count(&script.scene.provider, PcwCallbackRemoveCounter));
    booted_release(&script.scene.booted);
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

static void fits_main(void *argument)
{
    struct scene *scene = argument;
    const struct pcw_survey outcome =
        pcw_survey(&scene->booted.kernel, &scene->consumer.filter);

    assert_false(outcome.too_many || outcome.no_memory);
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
    booted_run(&scene.booted, 0, fits_main, &scene);
    create(&scene, 4096);
    booted_run(&scene.booted, 0, many_main, &scene);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_survey)
{
    TEST_ADD_ROWS(list, survey_row, survey_rows);
    test_add(
        list, "list_that_fails_is_told_of", list_that_fails_is_told_of, NULL);
    test_add(list, "more_than_4096_are_not_compared",
        more_than_4096_are_not_compared, NULL);
}
