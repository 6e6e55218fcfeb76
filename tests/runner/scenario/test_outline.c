/* test_outline.c - params, cases, matrix and requires: what they mean, and what
 * is wrong with others. Ids are test_instance.c's. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/scenario/scenario_text.h"

#define STEPS(text) "steps:\n" STEP_OK text
/* Uses k, a level. */
#define RAISE "- {call: KfRaiseIrql, args: {NewIrql: $k}}\n"
#define USE_K                                                                  \
    "- {call: KeGetCurrentIrql, save: {l: returns}, expect: {that: $(l < "     \
    "k)}}\n"

static struct scenario_error_row rows[] = {
    {"parameter_with_a_default",
        HEAD "params: {k: {type: KIRQL, default: 1}}\n" STEPS(USE_K), 0, ""},
    {"parameter_without_a_value",
        HEAD "params: {k: {type: KIRQL}}\n" STEPS(USE_K), 1,
        "t.yaml:4:10: error[NTP0204]: parameter 'k' has no value\n"
        "    4 | params: {k: {type: KIRQL}}\n"
        "      |          ^ give it a default, or run with -D k=VALUE\n"},
    {"parameter_without_a_type",
        HEAD "params: {k: {default: 1}}\n" STEPS(USE_K), 1,
        "t.yaml:4:10: error[NTP0204]: missing key 'type'"},
    {"parameter_of_an_unknown_type",
        HEAD "params: {k: {type: KIRQ, default: 1}}\n" STEPS(USE_K), 1,
        "t.yaml:4:20: error[NTP0203]: unknown type 'KIRQ'"},
    {"parameter_whose_value_is_of_another_type",
        HEAD
        "params: {k: {type: KIRQL, default: STATUS_SUCCESS}}\n" STEPS(RAISE),
        1, "t.yaml:4:36: error[NTP0203]: 'STATUS_SUCCESS' is not a KIRQL"},
    {"parameter_that_leaves_its_type",
        HEAD "params: {k: {type: UCHAR, default: 256}}\n" STEPS(USE_K), 1,
        "t.yaml:4:36: error[NTP0206]: 256 is too large for a UCHAR"},
    {"parameter_that_is_computed",
        HEAD "params: {k: {type: UCHAR, default: $(1 + 1)}}\n" STEPS(USE_K), 1,
        "t.yaml:4:36: error[NTP0205]: a parameter's value is written out"},
    {"parameter_that_nothing_uses",
        HEAD "params: {k: {type: UCHAR, default: 1}}\n" STEPS(""), 1,
        "t.yaml:4:10: error[NTP0209]: parameter 'k' is never used\n"},
    {"parameters_are_no_mapping", HEAD "params: [k]\n" STEPS(""), 1,
        "t.yaml:4:9: error[NTP0205]: expected {name: {type: ULONG, default: "
        "1}}\n"},
    {"name_with_a_capital",
        HEAD "params: {K: {type: UCHAR, default: 1}}\n" STEPS(""), 1,
        "t.yaml:4:10: error[NTP0203]: 'K' is not a parameter's name\n"},
    {"name_of_the_machine", HEAD "cases: {a: {os: 1}}\n" STEPS(""), 1,
        "t.yaml:4:13: error[NTP0203]: 'os' is not a parameter's name\n"},
    {"name_of_the_index", HEAD "cases: {a: {i: 1}}\n" STEPS(""), 1,
        "t.yaml:4:13: error[NTP0203]: 'i' is not a parameter's name\n"},
    {"word_of_expressions", HEAD "cases: {a: {and: 1}}\n" STEPS(""), 1,
        "t.yaml:4:13: error[NTP0203]: 'and' is not a parameter's name\n"},
    {"name_of_a_function_is_free",
        HEAD "cases: {a: {len: 1}}\nsteps:\n- {call: KeGetCurrentIrql, save: "
             "{l: returns}, expect: {that: $(l < len), covers: [T-01]}}\n",
        0, ""},
    {"parameter_and_column",
        HEAD "params: {k: {type: UCHAR, default: 1}}\n"
             "cases: {a: {k: 1}}\n" STEPS(USE_K),
        1,
        "t.yaml:5:13: error[NTP0214]: 'k' stands twice among params, cases and "
        "matrix\n"
        "    5 | cases: {a: {k: 1}}\n"
        "      |             ^\n"
        "t.yaml:4:10: note: first set here\n"},
    {"column_and_axis",
        HEAD "cases: {a: {k: 1}}\nmatrix: {k: [1]}\n" STEPS(USE_K), 1,
        "t.yaml:5:10: error[NTP0214]: 'k' stands twice among params, cases and "
        "matrix\n"},
    {"column_and_variable",
        HEAD "cases: {a: {k: 1}}\n" STEPS(
            USE_K "- {call: KeGetCurrentIrql, save: {k: returns}}\n"),
        1,
        "t.yaml:8:35: error[NTP0214]: 'k' is a parameter, a column or an "
        "axis\n"},
    {"column_and_callback",
        HEAD "cases: {a: {k: 1}}\ncallbacks: {k: {type: "
             "PKIPI_BROADCAST_WORKER, do: [], returns: 0}}\n" STEPS(USE_K),
        1, "t.yaml:5:13: error[NTP0214]: 'k' has a meaning already\n"},
    {"column_and_memory",
        HEAD "cases: {a: {k: 1}}\nmemory: {k: {bytes: 8}}\n" STEPS(USE_K), 1,
        "t.yaml:5:10: error[NTP0214]: 'k' is a parameter, a column or an "
        "axis\n"},
    {"actor_and_variable",
        HEAD "actors: [k]\n" STEPS(
            "- {call: KeGetCurrentIrql, save: {k: returns}}\n"),
        1, "t.yaml:7:35: error[NTP0214]: 'k' is an actor\n"},
    {"column_that_nothing_uses",
        HEAD "cases: {a: {k: 1}, b: {k: 2}}\n" STEPS(""), 1,
        "t.yaml:4:13: error[NTP0209]: column 'k' is never used\n"},
    {"axis_that_nothing_uses", HEAD "matrix: {k: [1, 2]}\n" STEPS(""), 1,
        "t.yaml:4:10: error[NTP0209]: axis 'k' is never used\n"},
    {"column_that_one_instance_uses",
        HEAD "cases: {a: {k: 1, do: true}, b: {k: 2, do: false}}\n" STEPS(
            "- {when: $do, call: KfRaiseIrql, args: {NewIrql: $k}}\n"),
        0, ""},
    {"row_without_a_column",
        HEAD "cases: {a: {k: 1, m: 2}, b: {k: 1}}\n" STEPS(USE_K), 1,
        "t.yaml:4:26: error[NTP0204]: row 'b' has no column 'm'\n"},
    {"row_with_a_column_more",
        HEAD "cases: {a: {k: 1}, b: {k: 1, m: 2}}\n" STEPS(USE_K), 1,
        "t.yaml:4:30: error[NTP0202]: the first row has no column 'm'\n"},
    {"row_that_is_none", HEAD "cases: {a: 1}\n" STEPS(USE_K), 1,
        "t.yaml:4:12: error[NTP0205]: expected a row, {column: value}\n"},
    {"row_with_a_capital", HEAD "cases: {A: {k: 1}}\n" STEPS(USE_K), 1,
        "t.yaml:4:9: error[NTP0203]: 'A' is not a row's name\n"},
    {"value_of_a_row_that_is_computed",
        HEAD "cases: {a: {k: $(1)}}\n" STEPS(USE_K), 1,
        "t.yaml:4:16: error[NTP0205]: a parameter's value is written out\n"},
    {"value_of_another_type_is_wrong_in_its_row",
        HEAD "cases: {a: {k: 1}, b: {k: high}}\n" STEPS(RAISE), 1,
        "t.yaml:4:27: error[NTP0203]: 'high' is not a KIRQL\n"},
    {"axis_of_a_list", HEAD "matrix: {k: [[1], [2]]}\n" STEPS(USE_K), 1,
        "t.yaml:4:14: error[NTP0205]: a value of an axis is one word or "
        "number\n"},
    {"axis_of_nothing", HEAD "matrix: {k: []}\n" STEPS(USE_K), 1,
        "t.yaml:4:13: error[NTP0205]: an empty list\n"},
    {"axis_of_an_empty_text", HEAD "matrix: {k: [\"\"]}\n" STEPS(USE_K), 1,
        "t.yaml:4:14: error[NTP0205]: a value of an axis is one word or "
        "number\n"},
    {"value_twice_in_an_axis", HEAD "matrix: {k: [1, 1]}\n" STEPS(USE_K), 1,
        "t.yaml:4:17: error[NTP0214]: '1' stands twice in this axis\n"},
    {"axis_of_the_machine_and_the_machine",
        HEAD "machine: {os: WIN8}\nmatrix: {os: [WIN7]}\n" STEPS(""), 1,
        "t.yaml:5:10: error[NTP0214]: 'os' stands in machine and in matrix\n"},
    {"axis_of_processors", HEAD "matrix: {cpus: [1, 2]}\n" STEPS(""), 0, ""},
    {"axis_of_the_pmu", HEAD "matrix: {pmu: [1, 2]}\n" STEPS(""), 1,
        "t.yaml:4:10: error[NTP0205]: 'pmu' is no single value\n"},
    {"axis_inside_of_the_pmu",
        HEAD "machine: {pmu: {general: $k}}\nmatrix: {k: [1, 2]}\n" STEPS(""),
        0, ""},
    {"machine_that_is_computed_from_its_version",
        HEAD
        "params: {v: {type: ULONG, default: 8}}\nmachine: {os: WIN7, cpus: "
        "$(v - 7)}\n" STEPS(""),
        0, ""},
    {"processors_by_the_version",
        HEAD
        "params: {w: {type: ULONG, default: 1}}\nmachine: {os: WIN7, arch: "
        "x86, cpus: $w}\n" STEPS(""),
        0, ""},
    {"requires_without_a_matrix", HEAD "requires: $(os == WIN11)\n" STEPS(""),
        1,
        "t.yaml:4:1: error[NTP0215]: requires filters a matrix, and there is "
        "none\n"},
    {"requires_that_drops_everything",
        HEAD "matrix: {os: [WIN7]}\nrequires: $(os == WIN8)\n" STEPS(""), 1,
        "t.yaml:5:1: error[NTP0217]: this drops every instance\n"},
    {"requires_of_a_variable",
        HEAD "matrix: {os: [WIN7]}\nrequires: $(st == 0)\n" STEPS(""), 1,
        "t.yaml:5:11: error[NTP0205]: expected $( ) that is true or false "
        "before anything runs\n"},
    {"requires_of_a_number",
        HEAD "matrix: {os: [WIN7]}\nrequires: $(1 + 1)\n" STEPS(""), 1,
        "t.yaml:5:11: error[NTP0205]: expected $( ) that is true or false "
        "before anything runs\n"},
    {"requires_that_has_no_value",
        HEAD "matrix: {k: [0, 1]}\nrequires: $(1 / k == 1)\n" STEPS(""), 1,
        "t.yaml:5:15: error[NTP0216]: division by zero\n"},
    {"when_that_is_the_same_everywhere",
        HEAD "matrix: {os: [WIN7, WIN8]}\n" STEPS(
            "- {when: $(os < WIN11), call: KeGetCurrentIrql}\n"),
        1, "t.yaml:7:10: error[NTP0215]: this is true in every instance\n"},
    {"when_that_differs",
        HEAD "matrix: {os: [WIN7, WIN8]}\n" STEPS(
            "- {when: $(os < WIN8), call: KeGetCurrentIrql}\n"),
        0, ""},
    {"when_that_is_a_text",
        HEAD "cases: {a: {k: word}, b: {k: other}}\n" STEPS(
            "- {when: $k, call: KeGetCurrentIrql}\n"),
        2,
        "t.yaml:4:16: error[NTP0205]: expected $( ) that is true or false\n"},
    {"expectation_that_depends_on_nothing_that_runs",
        HEAD "cases: {a: {k: 1}}\n" STEPS("- {expect: {that: $(k == 1)}}\n"), 1,
        "t.yaml:7:19: error[NTP0215]: this depends on nothing that runs\n"},
    {"error_that_instances_share_is_one",
        HEAD "matrix: {os: [WIN7, WIN8], k: [1, 2, 3]}\n" STEPS(
            USE_K "- {call: KeGetCurrentIrq}\n"),
        1, "t.yaml:8:10: error[NTP0203]: unknown routine 'KeGetCurrentIrq'\n"},
};

/* As many instances as the language allows, and one axis value more. */
static void instances_are_limited(void **state)
{
    void *memory = talloc_new(NULL);
    char *axis = talloc_strdup(memory, "0");
    struct scenario_text made;

    (void)state;
    for (unsigned i = 1; i < 100; i++) {
        axis = talloc_asprintf_append_buffer(axis, ", %u", i);
    }
    scenario_text_read(
        &made, talloc_asprintf(memory,
                   HEAD "matrix: {k: [%s], m: [%s]}\n" STEPS(
                       "- {call: KeGetCurrentIrql, save: {l: "
                       "returns}, expect: {that: $(l <= k + m)}}\n"),
                   axis, axis));
    text_file_assert_errors(&made.file, "");
    assert_int_equal(made.outline->instances.count, 10000);
    assert_string_equal(made.outline->instances.item[9999].id, "t[k=99,m=99]");
    scenario_text_release(&made);
    scenario_text_read(&made,
        talloc_asprintf(memory,
            HEAD "matrix: {k: [%s], m: [%s, 100]}\n" STEPS(""), axis, axis));
    text_file_assert_errors(
        &made.file, "t.yaml:4:1: error[NTP0109]: more than 10000 instances\n");
    assert_int_equal(diagnostics_errors(made.file.diagnostics), 1);
    scenario_text_release(&made);
    talloc_free(memory);
}

/* 64 columns, and the version as an axis beside them. */
static void names_are_limited(void **state)
{
    void *memory = talloc_new(NULL);
    char *row = talloc_strdup(memory, "n0: 0");
    struct scenario_text made;

    (void)state;
    for (unsigned i = 1; i < 64; i++) {
        row = talloc_asprintf_append_buffer(row, ", n%u: 0", i);
    }
    scenario_text_read(&made,
        talloc_asprintf(memory,
            HEAD
            "cases: {a: {%s}}\nmatrix: {os: [WIN7], arch: [x86]}\n" STEPS(""),
            row));
    text_file_assert_errors(&made.file,
        "t.yaml:5:10: error[NTP0203]: 'os' is not a parameter's name\n");
    scenario_text_release(&made);
    talloc_free(memory);
}

TEST_FILE(test_outline)
{
    TEST_ADD_ROWS(list, scenario_error_row, rows);
    test_add(list, "instances_are_limited", instances_are_limited, NULL);
    test_add(list, "names_are_limited", names_are_limited, NULL);
}
