/* test_read_rulings.c - what a scenario flips, and that the requirements and
 * api/nt/rulings.def know the same switches. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "tests/runner/scenario/scenario_text.h"

static struct scenario_error_row error_rows[] = {
    {"other_value", HEAD "rulings: {HAL-ALLOC-34: all}\n" STEPS_OK, 0, ""},
    {"number", HEAD "rulings: {HAL-OVF-13: 0x28}\n" STEPS_OK, 0, ""},
    {"highest_number", HEAD "rulings: {HAL-OVF-13: 1000000}\n" STEPS_OK, 0, ""},
    {"word_beside_a_number", HEAD "rulings: {HAL-OVF-13: unlimited}\n" STEPS_OK,
        0, ""},
    {"number_too_high", HEAD "rulings: {HAL-OVF-13: 1000001}\n" STEPS_OK, 1,
        "t.yaml:4:23: error[NTP0206]: 1000001 is not from 1 to "
        "1000000\n"},
    {"number_where_there_are_words",
        HEAD "rulings: {HAL-ALLOC-34: 1}\n" STEPS_OK, 1,
        "t.yaml:4:25: error[NTP0203]: ruling 'HAL-ALLOC-34' has no "
        "value '1'\n"},
    {"mapping_for_a_value", HEAD "rulings: {HAL-OVF-13: {us: 40}}\n" STEPS_OK,
        1,
        "t.yaml:4:23: error[NTP0203]: ruling 'HAL-OVF-13' has no "
        "value '{us: 40}'\n"},
    {"number_in_quotes", HEAD "rulings: {HAL-OVF-13: \"40\"}\n" STEPS_OK, 1,
        "t.yaml:4:23: error[NTP0205]: expected a whole number\n"},
    {"nothing_flipped", HEAD "rulings: {}\n" STEPS_OK, 1,
        "t.yaml:4:10: error[NTP0205]: expected what is flipped, "
        "{HAL-ALLOC-37a: insufficient}\n"},
    {"documented", HEAD "rulings: {T-01: all}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0212]: 'T-01' is [D], no ruling of "
        "ours\n"},
    {"ruling_without_a_switch", HEAD "rulings: {T-02: all}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0212]: ruling 'T-02' has no switch: "
        "there is no other value\n"},
    {"each_error_is_reported",
        HEAD "rulings: {T-9: all, HAL-ALLOC-34: invalid, PCW-CB-08: "
             "later}\n" STEPS_OK,
        3, "t.yaml:4:11: error[NTP0212]: no requirement 'T-9'\n"},
};

static void flipped_are_in_the_scenario_and_others_are_not(void **state)
{
    const struct rulings *rulings;
    struct scenario_text made;

    (void)state;
    scenario_text_read(&made,
        HEAD "rulings: {HAL-ALLOC-37b: holes, HAL-OVF-13: 40}\n" STEPS_OK);
    assert_non_null(made.scenario);
    rulings = &made.scenario->rulings;
    assert_int_equal(
        rulings->value[RULING_HAL_ALLOC_37b], RULED_HAL_ALLOC_37b_holes);
    assert_int_equal(
        rulings->value[RULING_HAL_OVF_13], RULED_HAL_OVF_13_number);
    assert_int_equal(rulings->number[RULING_HAL_OVF_13], 40);
    assert_int_equal(
        rulings->value[RULING_HAL_ALLOC_37a], RULED_HAL_ALLOC_37a_invalid);
    scenario_text_release(&made);
}

static void defaults_hold_where_nothing_is_flipped(void **state)
{
    struct scenario_text made;
    const struct rulings usual = rulings_default();

    (void)state;
    scenario_text_read(&made, HEAD STEPS_OK);
    assert_non_null(made.scenario);
    assert_memory_equal(
        made.scenario->rulings.value, usual.value, sizeof(usual.value));
    assert_memory_equal(
        made.scenario->rulings.number, usual.number, sizeof(usual.number));
    scenario_text_release(&made);
}

/* Whether the ruling has the value whose name the text begins with. */
static bool has_value(enum ruling ruling, const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");

    if (strncmp(text, "another number", 14) == 0) {
        return ruling_numbers[ruling].high > 0;
    }
    for (size_t n = 0; n < RULED_COUNT; n++) {
        if (ruled_rows[n].ruling == ruling &&
            strlen(ruled_rows[n].name) == length &&
            strncmp(ruled_rows[n].name, text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* A requirement's "default (default) | value: what it does | value ...".
 * Returns how many values it names behind the default. */
static size_t count_values(enum ruling ruling, const char *text)
{
    const char *end = text + strcspn(text, "\n");
    const char *at = text;
    size_t count = 0;

    while ((at = strstr(at, " | ")) != NULL && at < end) {
        at += 3;
        assert_true(has_value(ruling, at));
        count++;
    }
    return count;
}

static size_t table_values(enum ruling ruling)
{
    size_t count = 0;

    for (size_t n = 0; n < RULED_COUNT; n++) {
        count += ruled_rows[n].ruling == ruling;
    }
    /* "another number" is the default's own name. */
    return ruling_numbers[ruling].usual > 0 ? count : count - 1;
}

static void requirements_and_table_have_the_same_switches(void **state)
{
    void *memory = talloc_new(NULL);
    const struct requirements *all = requirements_built_in(memory);
    size_t found = 0;

    (void)state;
    for (size_t i = 0; i < all->count; i++) {
        const struct requirement *one = requirement_at(all, i);
        enum ruling ruling;

        if (one->choices == NULL) {
            continue;
        }
        assert_true(ruling_find(one->id, &ruling));
        assert_int_equal(one->tag, 'C');
        assert_int_equal(
            count_values(ruling, one->choices), table_values(ruling));
        found++;
    }
    assert_int_equal(found, RULING_COUNT);
    talloc_free(memory);
}

TEST_FILE(test_read_rulings)
{
    TEST_ADD_ROWS(list, scenario_error_row, error_rows);
    test_add(list, "flipped_are_in_the_scenario_and_others_are_not",
        flipped_are_in_the_scenario_and_others_are_not, NULL);
    test_add(list, "defaults_hold_where_nothing_is_flipped",
        defaults_hold_where_nothing_is_flipped, NULL);
    test_add(list, "requirements_and_table_have_the_same_switches",
        requirements_and_table_have_the_same_switches, NULL);
}
