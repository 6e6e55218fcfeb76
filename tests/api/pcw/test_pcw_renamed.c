/* test_pcw_renamed.c - an instance that has another name or id than at the
 * request before (PCW-CRE-14, PCW-ADD-03a, PCW-ADD-04a, PCW-ADD-04b). */
#include "tests/api/pcw/pcw_named_scene.h"

static struct renamed_row {
    const char *name;
    struct named before[INSTANCES + 1], after[INSTANCES + 1];
    bool want;
} renamed_rows[] = {
    {"same_names_again", {NAMED(u"A", 1), NAMED(u"B", 2), END},
        {NAMED(u"B", 2), NAMED(u"A", 1), END}, false},
    {"other_name", {NAMED(u"A", 1), NAMED(u"K", 2), END},
        {NAMED(u"B", 1), NAMED(u"K", 2), END}, true},
    {"other_name_of_the_last_one", {NAMED(u"K", 1), NAMED(u"A", 2), END},
        {NAMED(u"K", 1), NAMED(u"B", 2), END}, true},
    {"other_name_of_a_lone_one", {NAMED(u"A", 0), END}, {NAMED(u"B", 0), END},
        false},
    {"other_name_of_a_lone_one_with_an_id_of_its_own", {NAMED(u"A", 4), END},
        {NAMED(u"B", 4), END}, true},
    {"other_names_of_all", {NAMED(u"A", 1), NAMED(u"B", 2), END},
        {NAMED(u"X", 1), NAMED(u"Y", 2), END}, true},
    {"other_case", {NAMED(u"A", 1), NAMED(u"K", 2), END},
        {NAMED(u"a", 1), NAMED(u"K", 2), END}, false},
    {"swapped_names", {NAMED(u"A", 1), NAMED(u"B", 2), END},
        {NAMED(u"B", 1), NAMED(u"A", 2), END}, true},
    {"last_of_three", {NAMED(u"A", 1), NAMED(u"B", 2), NAMED(u"C", 3), END},
        {NAMED(u"C2", 3), NAMED(u"B", 2), NAMED(u"A", 1), END}, true},
    {"other_name_while_one_goes",
        {NAMED(u"A", 1), NAMED(u"B", 2), NAMED(u"C", 3), END},
        {NAMED(u"C2", 3), NAMED(u"B", 2), END}, false},
    {"other_name_while_one_comes_for_another",
        {NAMED(u"A", 1), NAMED(u"B", 2), NAMED(u"C", 3), END},
        {NAMED(u"A", 1), NAMED(u"B2", 2), NAMED(u"D", 4), END}, false},
    {"gone_and_come", {NAMED(u"A", 1), END}, {NAMED(u"B", 2), END}, false},
    {"gone_one_in_the_middle",
        {NAMED(u"A", 1), NAMED(u"B", 2), NAMED(u"C", 3), END},
        {NAMED(u"A", 1), NAMED(u"C", 3), END}, false},
    {"id_that_was_shared", {NAMED(u"A", 0), NAMED(u"B", 0), END},
        {NAMED(u"C", 0), END}, false},
    {"id_that_is_shared", {NAMED(u"A", 0), END},
        {NAMED(u"C", 0), NAMED(u"B", 0), END}, false},
    {"id_that_three_share",
        {NAMED(u"A", 0), NAMED(u"B", 0), NAMED(u"C", 0), END},
        {NAMED(u"X", 0), NAMED(u"Y", 0), NAMED(u"Z", 0), END}, false},
    {"id_beside_shared_ones",
        {NAMED(u"A", 0), NAMED(u"B", 0), NAMED(u"C", 5), END},
        {NAMED(u"X", 0), NAMED(u"Y", 0), NAMED(u"Z", 5), END}, true},
    {"id_beside_shared_ones_and_a_kept_one",
        {NAMED(u"A", 0), NAMED(u"B", 0), NAMED(u"C", 5), NAMED(u"K", 6), END},
        {NAMED(u"X", 0), NAMED(u"Y", 0), NAMED(u"Z", 5), NAMED(u"K", 6), END},
        true},
    {"id_beside_shared_ones_that_keep_their_names",
        {NAMED(u"A", 0), NAMED(u"B", 0), NAMED(u"C", 5), END},
        {NAMED(u"A", 0), NAMED(u"B", 0), NAMED(u"Z", 5), END}, true},
    {"ids_in_no_order", {NAMED(u"B", 2), NAMED(u"A", 1), END},
        {NAMED(u"X", 1), NAMED(u"B", 2), END}, true},
    {"id_that_reads_like_its_name",
        {NAMED(u"AB", 0x00420041), NAMED(u"K", 2), END},
        {NAMED(u"CD", 0x00420041), NAMED(u"K", 2), END}, true},
    {"new_id_that_reads_like_a_name", {NAMED(u"AB", 1), END},
        {NAMED(u"AB", 1), NAMED(u"CD", 0x00420041), END}, false},
    {"nobody_at_first", {END}, {NAMED(u"A", 1), END}, false},
};

static void renamed_row(void **state)
{
    const struct renamed_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    plan(&scene, row->before);
    pcw_collect_once(&scene.booted, &scene.consumer);
    plan(&scene, row->after);
    booted_run(&scene.booted, 0, pcw_consumer_collect, &scene.consumer);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_INSTANCE_RENAMED), row->want);
    assert_int_equal(scene.booted.kernel.rules.count, row->want);
    booted_release(&scene.booted);
}

static void renamed_instance_is_named(void **state)
{
    static const struct named before[] = {NAMED(u"A", 4), END};
    static const struct named after[] = {NAMED(u"B\"\n", 4), END};
    struct scene scene;

    (void)state;
    scene_init(&scene);
    plan(&scene, before);
    pcw_collect_once(&scene.booted, &scene.consumer);
    plan(&scene, after);
    booted_run(&scene.booted, 0, pcw_consumer_collect, &scene.consumer);
    assert_int_equal(scene.booted.kernel.rules.count, 1);
    assert_string_equal(
        scene.booted.kernel.rules.event[0].subject, "'A' is 'B..' now, id 4");
    booted_release(&scene.booted);
}

static struct renumbered_row {
    const char *name;
    struct named before[INSTANCES + 1], after[INSTANCES + 1];
    const char *want; /* NULL: no report */
} renumbered_rows[] = {
    {"other_id", {NAMED(u"A", 1), NAMED(u"B", 2), END},
        {NAMED(u"A", 3), NAMED(u"B", 2), END}, "'A' has id 3 now, and had 1"},
    {"other_id_of_the_last_name", {NAMED(u"B", 1), NAMED(u"A", 2), END},
        {NAMED(u"B", 9), NAMED(u"A", 2), END}, "'B' has id 9 now, and had 1"},
    {"first_by_name_of_two", {NAMED(u"B", 1), NAMED(u"A", 2), END},
        {NAMED(u"B", 3), NAMED(u"A", 4), END}, "'A' has id 4 now, and had 2"},
    {"case_is_ignored_by_ids", {NAMED(u"a", 1), END}, {NAMED(u"A", 3), END},
        "'A' has id 3 now, and had 1"},
    {"id_that_is_shared_now", {NAMED(u"A", 1), NAMED(u"B", 2), END},
        {NAMED(u"A", 2), NAMED(u"B", 2), END}, "'A' has id 2 now, and had 1"},
    {"other_id_while_one_comes", {NAMED(u"B", 1), END},
        {NAMED(u"A", 1), NAMED(u"B", 2), END}, "'B' has id 2 now, and had 1"},
    {"other_id_while_one_goes", {NAMED(u"A", 1), NAMED(u"B", 2), END},
        {NAMED(u"B", 1), END}, "'B' has id 1 now, and had 2"},
    {"longer_name_with_an_id_of_its_own", {NAMED(u"A", 1), END},
        {NAMED(u"AA", 2), END}, NULL},
    {"name_that_two_had", {NAMED(u"A", 1), NAMED(u"a", 2), NAMED(u"C", 5), END},
        {NAMED(u"A", 3), NAMED(u"C", 5), END}, NULL},
    {"name_that_two_have", {NAMED(u"A", 1), NAMED(u"C", 5), END},
        {NAMED(u"A", 3), NAMED(u"a", 4), NAMED(u"C", 5), END}, NULL},
    {"name_behind_one_that_two_have",
        {NAMED(u"A", 1), NAMED(u"A", 2), NAMED(u"C", 5), END},
        {NAMED(u"A", 1), NAMED(u"A", 2), NAMED(u"C", 6), END},
        "'C' has id 6 now, and had 5"},
    {"ids_that_are_all_the_same", {NAMED(u"A", 0), NAMED(u"B", 0), END},
        {NAMED(u"B", 0), END}, NULL},
    {"nobody_before", {END}, {NAMED(u"A", 1), END}, NULL},
    {"nobody_after", {NAMED(u"A", 1), END}, {END}, NULL},
};

static void renumbered_row(void **state)
{
    const struct renumbered_row *row = *state;
    const struct rule_log *log;
    struct scene scene;
    unsigned found;

    scene_init(&scene);
    plan(&scene, row->before);
    pcw_collect_once(&scene.booted, &scene.consumer);
    plan(&scene, row->after);
    booted_run(&scene.booted, 0, pcw_consumer_collect, &scene.consumer);
    log = &scene.booted.kernel.rules;
    found = booted_broken(&scene.booted, RULE_PCW_INSTANCE_OTHER_ID);
    assert_int_equal(found, row->want != NULL);
    if (row->want != NULL) {
        assert_string_equal(log->event[log->count - 1].subject, row->want);
    }
    booted_release(&scene.booted);
}

/* Who does not see all instances cannot tell. */
static struct part_row {
    const char *name;
    struct pcw_text mask;
    uint32_t id;
    bool single, enumerates;
    uint32_t cancel_after;
    bool want;
} part_rows[] = {
    {"all_instances_enumerated", PCW_TEXT_ROW(u"*"), 0xFFFFFFFF, false, true,
        UINT32_MAX, true},
    {"some_names", PCW_TEXT_ROW(u"A*"), 0xFFFFFFFF, false, false, UINT32_MAX,
        false},
    {"one_character", PCW_TEXT_ROW(u"?"), 0xFFFFFFFF, false, false, UINT32_MAX,
        false},
    {"one_id", PCW_TEXT_ROW(u"*"), 1, false, false, UINT32_MAX, false},
    {"single_instance", PCW_TEXT_ROW(u"*"), 0xFFFFFFFF, true, false, UINT32_MAX,
        false},
    {"cancelled", PCW_TEXT_ROW(u"*"), 0xFFFFFFFF, false, false, 1, false},
};

static void part_row(void **state)
{
    static const struct named before[] = {NAMED(u"A", 1), NAMED(u"K", 2), END};
    static const struct named after[] = {NAMED(u"B", 1), NAMED(u"K", 2), END};
    const struct part_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    plan(&scene, before);
    pcw_collect_once(&scene.booted, &scene.consumer);
    booted_run(&scene.booted, 0, pcw_consumer_close, &scene.consumer);
    plan(&scene, after);
    scene.consumer.filter.instance = row->mask;
    scene.consumer.filter.id = row->id;
    scene.consumer.filter.multiple = !row->single;
    scene.consumer.cancel_after = row->cancel_after;
    booted_run(&scene.booted, 0, pcw_consumer_open, &scene.consumer);
    booted_run(&scene.booted, 0,
        row->enumerates ? pcw_consumer_enumerate : pcw_consumer_collect,
        &scene.consumer);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_INSTANCE_RENAMED), row->want);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_renamed)
{
    TEST_ADD_ROWS(list, renamed_row, renamed_rows);
    test_add(
        list, "renamed_instance_is_named", renamed_instance_is_named, NULL);
    TEST_ADD_ROWS(list, renumbered_row, renumbered_rows);
    TEST_ADD_ROWS(list, part_row, part_rows);
}
