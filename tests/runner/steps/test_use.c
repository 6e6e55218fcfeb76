/* test_use.c - what a fragment is given by its parameters, and what
 * it gives back. */
#define _XOPEN_SOURCE 700
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/scenario/suite_files.h"

#define HEAD SUITE_HEAD
#define RAISE                                                                  \
    "ntpmu: 1\nfragments:\n  raise:\n    title: Test\n"                        \
    "    params: {to: {type: KIRQL}, from: {type: KIRQL, default: "            \
    "PASSIVE_LEVEL}}\n    gives: [old]\n    steps:\n"                          \
    "    - {call: KfRaiseIrql, args: {NewIrql: $to}, save: {old: returns},\n"  \
    "       expect: {returns: $from, covers: [IRQL-GEN-01]}}\n"                \
    "  lower:\n    title: Test\n    params: {to: {type: KIRQL}}\n    steps:\n" \
    "    - {call: KeLowerIrql, args: {NewIrql: $to}}\n"                        \
    "  both:\n    title: Test\n    params: {level: {type: KIRQL}}\n"           \
    "    steps:\n"                                                             \
    "    - {use: f.yaml#raise, with: {to: $level}, save: {was: old}}\n"        \
    "    - {use: f.yaml#lower, with: {to: $was}}\n"
#define LOWER "- {call: KeLowerIrql, args: {NewIrql: PASSIVE_LEVEL}}\n"

/* t.yaml behind its title, with the fragments above. */
static struct value_row {
    const char *name;
    const char *text;
    const char *want; /* errors; "" where it passes */
} value_rows[] = {
    {"value_and_default",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}}\n" LOWER, ""},
    {"value_beside_the_default",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}}\n"
        "- {use: f.yaml#raise, with: {to: DISPATCH_LEVEL, from: APC_LEVEL}}\n"
        "- {call: KeLowerIrql, args: {NewIrql: APC_LEVEL}}\n" LOWER,
        ""},
    {"result_that_is_taken",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}, save: {l: "
        "old}}\n- {call: KeLowerIrql, args: {NewIrql: $l}}\n",
        ""},
    {"value_that_a_step_has_set",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}, save: {l: "
        "old}}\n- {use: f.yaml#lower, with: {to: $l}}\n",
        ""},
    {"value_of_the_cases",
        "cases: {apc: {level: APC_LEVEL}, dpc: {level: DISPATCH_LEVEL}}\n"
        "steps:\n- {use: f.yaml#raise, with: {to: $level}}\n" LOWER,
        ""},
    {"value_through_two_fragments",
        "steps:\n- {use: f.yaml#both, with: {level: APC_LEVEL}}\n", ""},
    {"expectation_of_the_use",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}, expect: {state: "
        "{irql: {cpu: 0}, is: APC_LEVEL}}}\n" LOWER,
        ""},
    {"parameter_is_missing", "steps:\n- {use: f.yaml#raise}\n",
        "t.yaml:5:4: error[NTP0204]: missing parameter 'to'\n"},
    {"parameter_that_there_is_not",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL, form: 0}}\n",
        "t.yaml:5:45: error[NTP0202]: the fragment has no parameter 'form'\n"},
    {"parameters_are_no_mapping", "steps:\n- {use: f.yaml#lower, with: [1]}\n",
        "t.yaml:5:4: error[NTP0204]: missing parameter 'to'\n"
        "t.yaml:5:29: error[NTP0205]: expected {parameter: value}\n"},
    {"value_of_another_type_is_wrong_where_it_is_written",
        "steps:\n- {use: f.yaml#lower, with: {to: STATUS_SUCCESS}}\n",
        "t.yaml:5:34: error[NTP0203]: 'STATUS_SUCCESS' is not a KIRQL\n"},
    {"value_of_another_type_in_a_case",
        "cases: {one: {l: 0}, two: {l: nowhere}}\n"
        "steps:\n" SUITE_STEP "- {use: f.yaml#lower, with: {to: $l}}\n",
        "t.yaml:4:31: error[NTP0203]: 'nowhere' is not a KIRQL\n"
        "t.yaml:7:34: note: used here\n"},
    {"variable_of_another_type",
        "steps:\n- {call: KeGetCurrentProcessorNumberEx, args: {ProcNumber: "
        "null}, save: {k: returns}}\n- {use: f.yaml#lower, with: {to: $k}}\n",
        "t.yaml:6:34: error[NTP0205]: $k is a ULONG, expected KIRQL\n"},
    {"result_that_there_is_not",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}, save: {l: "
        "new}}\n- {call: KeLowerIrql, args: {NewIrql: $l}}\n",
        "t.yaml:5:56: error[NTP0203]: the fragment gives no 'new'\n"
        "t.yaml:6:39: error[NTP0208]: no variable 'l' is set before this "
        "place\n"},
    {"variable_of_a_fragment_is_not_the_scenario_s",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}}\n"
        "- {call: KeLowerIrql, args: {NewIrql: $old}}\n",
        "t.yaml:6:39: error[NTP0208]: no variable 'old' is set before this "
        "place\n"},
    {"result_that_nothing_uses",
        "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL}, save: {l: "
        "old}}\n" LOWER,
        "t.yaml:5:53: error[NTP0209]: variable 'l' is never used\n"},
    {"name_that_is_taken",
        "params: {l: {type: KIRQL, default: APC_LEVEL}}\n"
        "steps:\n- {use: f.yaml#raise, with: {to: $l}, save: {l: old}}\n" LOWER,
        "t.yaml:6:46: error[NTP0214]: 'l' is a parameter, a column or an "
        "axis\n"},
    {"actor_of_the_use",
        "actors: [drvA, drvB]\nsteps:\n"
        "- {as: drvB, use: f.yaml#raise, with: {to: APC_LEVEL}, expect: "
        "{state: {irql: {cpu: 1}, is: APC_LEVEL}}}\n"
        "- {as: drvB, call: KeLowerIrql, args: {NewIrql: 0}}\n"
        "- {as: drvA, call: KeGetCurrentIrql}\n",
        ""},
    {"actor_is_missing",
        "actors: [drvA, drvB]\nsteps:\n"
        "- {use: f.yaml#raise, with: {to: APC_LEVEL}}\n"
        "- {as: drvB, call: KeLowerIrql, args: {NewIrql: 0}}\n"
        "- {as: drvA, call: KeGetCurrentIrql}\n",
        "f.yaml:8:7: error[NTP0204]: missing key 'as': there are 2 actors\n"},
};

static void value_row(void **state)
{
    const struct value_row *row = *state;
    struct suite_files made;

    suite_files_init(&made);
    directory_write(made.directory, "f.yaml", RAISE);
    directory_write(made.directory, "t.yaml",
        talloc_asprintf(made.memory, "%s%s", HEAD, row->text));
    suite_files_read(&made, "t.yaml");
    assert_string_equal(suite_files_errors(&made), row->want);
    if (row->want[0] == '\0') {
        for (size_t i = 0; i < made.suite->instances->count; i++) {
            const struct verdict *verdict = suite_files_run(&made, i);

            assert_string_equal(
                verdict->failure_count == 0 ? "" : verdict->failure[0].message,
                "");
        }
    }
    suite_files_release(&made);
}

/* A failure inside is at the fragment's line; one whose value the scenario
 * gave has that as well. */
static void failure_is_in_the_fragment(void **state)
{
    const struct verdict *verdict;
    struct suite_files made;

    (void)state;
    suite_files_init(&made);
    directory_write(made.directory, "f.yaml", RAISE);
    directory_write(made.directory, "t.yaml",
        HEAD "steps:\n- {use: f.yaml#raise, with: {to: APC_LEVEL, from: "
             "DISPATCH_LEVEL}}\n" LOWER);
    suite_files_read(&made, "t.yaml");
    verdict = suite_files_run(&made, 0);
    assert_int_equal(verdict->failure_count, 1);
    assert_string_equal(verdict->failure[0].step, "1.1");
    assert_string_equal(verdict->failure[0].message,
        "returns: expected DISPATCH_LEVEL, actual PASSIVE_LEVEL");
    assert_non_null(strstr(verdict->failure[0].place->source->path, "f.yaml"));
    assert_int_equal(verdict->failure[0].place->mark.line, 9);
    assert_non_null(verdict->failure[0].place->from);
    assert_non_null(
        strstr(verdict->failure[0].place->from->source->path, "t.yaml"));
    assert_int_equal(verdict->failure[0].place->from->mark.line, 5);
    suite_files_release(&made);
}

TEST_FILE(test_use)
{
    TEST_ADD_ROWS(list, value_row, value_rows);
    test_add(
        list, "failure_is_in_the_fragment", failure_is_in_the_fragment, NULL);
}
