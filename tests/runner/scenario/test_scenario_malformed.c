/* test_scenario_malformed.c - files that changed copies of scenarios were like
 * when they stopped the reader: each has an error at its place instead. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/scenario/scenario_text.h"

static struct scenario_error_row rows[] = {
    {"driver_that_is_a_word", HEAD "driver: sampler.sys\n" STEPS_OK, 1,
        "t.yaml:4:9: error[NTP0205]: expected a mapping, {key: value}\n"},
    {"driver_in_a_list_that_is_a_word", HEAD "driver: [x.sys]\n" STEPS_OK, 1,
        "t.yaml:4:10: error[NTP0205]: expected a mapping, {key: value}\n"},
    {"driver_without_image", HEAD "driver: {as: sampler}\n" STEPS_OK, 1,
        "t.yaml:4:9: error[NTP0204]: missing key 'image'\n"},
    {"driver_with_an_empty_image", HEAD "driver: {image: , as: x}\n" STEPS_OK,
        1, "t.yaml:4:10: error[NTP0108]: 'image' has no value\n"},
    {"no_drivers", HEAD "driver: []\n" STEPS_OK, 1,
        "t.yaml:4:9: error[NTP0205]: an empty list\n"},
};

TEST_FILE(test_scenario_malformed)
{
    TEST_ADD_ROWS(list, scenario_error_row, rows);
}
