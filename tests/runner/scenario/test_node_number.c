/* test_node_number.c - places of an instance as numbers, which mean the same in
 * another process that has read it too. */
#define _XOPEN_SOURCE 700
#include "scenarios/runner/scenario/node_number.h"
#include "scenarios/runner/scenario/scenario.h"
#include "tests/runner/scenario/suite_files.h"

static const struct suite_file files[SUITE_FILES] = {
    {"f.yaml", "ntpmu: 1\nfragments:\n  level:\n    title: Test\n"
               "    params: {l: {type: KIRQL}}\n    steps:\n"
               "    - {call: KeGetCurrentIrql, expect: {returns: $l, covers: "
               "[IRQL-GEN-01]}}\n"},
    {"t.yaml", SUITE_HEAD
        "cases: {a: {want: [0]}, b: {want: [1]}}\nsteps:\n" SUITE_STEP
        "- {use: f.yaml#level, with: {l: 0}}\n"
        "- {use: f.yaml#level, with: {l: 1}}\n"
        "- {expect: {state: {pending: {cpu: 0}, is: $want}}}\n"},
};

static size_t count_below(const struct node *node)
{
    size_t count = 1;

    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count; i++) {
        count += node->kind == NODE_SEQUENCE
                     ? count_below(node->item[i])
                     : count_below(node->entry[i].key) +
                           count_below(node->entry[i].value);
    }
    return count;
}

/* Read twice, as two processes do: the n-th place of one is where the n-th of
 * the other is, and says the same. */
static void numbers_mean_the_same_in_another_reading(void **state)
{
    const struct scenario *one, *other;
    struct suite_files made;
    size_t count;

    (void)state;
    suite_files_init(&made);
    suite_files_write(&made, files);
    suite_files_read(&made, "t.yaml");
    assert_string_equal(suite_files_errors(&made), "");
    one = instance_open(made.memory, &made.suite->instances->item[1]).scenario;
    other =
        instance_open(made.memory, &made.suite->instances->item[1]).scenario;
    count = count_below(one->root);
    assert_int_equal(one->frame_count, 3);
    for (size_t i = 1; i < one->frame_count; i++) {
        count += count_below(one->frame[i].steps);
    }
    for (size_t i = 0; i < count; i++) {
        const struct node *place = node_number_find(one, i);
        const struct node *same = node_number_find(other, i);

        /* A value of the cases stands in two places. */
        assert_true(node_number(one, place) <= i);
        assert_ptr_equal(node_number_find(one, node_number(one, place)), place);
        assert_ptr_equal(same->source, place->source);
        assert_int_equal(same->mark.line, place->mark.line);
        assert_int_equal(same->mark.column, place->mark.column);
        assert_int_equal(same->kind, place->kind);
    }
    suite_files_release(&made);
}

/* The same line of a fragment is another place in another use of it. */
static void place_in_a_fragment_is_of_its_use(void **state)
{
    const struct scenario *scenario;
    const struct node *first, *second;
    struct suite_files made;

    (void)state;
    suite_files_init(&made);
    suite_files_write(&made, files);
    suite_files_read(&made, "t.yaml");
    scenario =
        instance_open(made.memory, &made.suite->instances->item[0]).scenario;
    first = scenario->steps.item[1].inner->steps.item[0].expect.item[0].value;
    second = scenario->steps.item[2].inner->steps.item[0].expect.item[0].value;
    assert_int_equal(first->mark.line, second->mark.line);
    assert_string_equal(first->text, "0");
    assert_string_equal(second->text, "1");
    assert_ptr_equal(
        node_number_find(scenario, node_number(scenario, first)), first);
    assert_ptr_equal(
        node_number_find(scenario, node_number(scenario, second)), second);
    suite_files_release(&made);
}

static void place_of_nowhere(void **state)
{
    const struct node none = {.kind = NODE_SCALAR};
    const struct scenario *scenario;
    struct suite_files made;

    (void)state;
    suite_files_init(&made);
    suite_files_write(&made, files);
    suite_files_read(&made, "t.yaml");
    scenario =
        instance_open(made.memory, &made.suite->instances->item[0]).scenario;
    assert_true(node_number(scenario, &none) == NODE_NUMBER_NONE);
    assert_ptr_equal(
        node_number_find(scenario, NODE_NUMBER_NONE), scenario->root);
    suite_files_release(&made);
}

TEST_FILE(test_node_number)
{
    test_add(list, "numbers_mean_the_same_in_another_reading",
        numbers_mean_the_same_in_another_reading, NULL);
    test_add(list, "place_in_a_fragment_is_of_its_use",
        place_in_a_fragment_is_of_its_use, NULL);
    test_add(list, "place_of_nowhere", place_of_nowhere, NULL);
}
