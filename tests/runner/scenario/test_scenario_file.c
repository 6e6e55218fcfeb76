/* test_scenario_file.c - files of the language as a whole: what kind they are,
 * their heads, machines, actors and callbacks, and every error with its place
 * (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/scenario/scenario.h"
#include "tests/runner/scenario/scenario_text.h"

static struct scenario_error_row head_rows[] = {
    {"smallest_scenario", HEAD STEPS_OK, 0, ""},
    {"missing_id", "ntpmu: 1\ntitle: Test\n" STEPS_OK, 1,
        "t.yaml:1:1: error[NTP0204]: missing key 'id'\n"},
    {"missing_title", "ntpmu: 1\nid: t\n" STEPS_OK, 1,
        "t.yaml:1:1: error[NTP0204]: missing key 'title'\n"},
    {"missing_steps", HEAD, 1,
        "t.yaml:1:1: error[NTP0204]: missing key 'steps'\n"},
    {"everything_is_missing", "ntpmu: 1\n", 3,
        "t.yaml:1:1: error[NTP0204]: missing key 'id'\n"},
    {"unknown_key", HEAD "titel: x\n" STEPS_OK, 1,
        "t.yaml:4:1: error[NTP0202]: unknown key 'titel'\n"
        "    4 | titel: x\n"
        "      | ^~~~~ did you mean 'title'?\n"},
    {"schedules_of_an_unknown_order", HEAD "explore: {mode: fast}\n" STEPS_OK,
        1, "t.yaml:4:17: error[NTP0203]: unknown order of schedules 'fast'\n"},
    {"seed_of_what_is_not_random", HEAD "explore: {seed: 5}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0215]: nothing is chosen at random here\n"},
    {"schedules_limited_of_two",
        HEAD "explore: {mode: each_point, max_schedules: 5}\n" STEPS_OK, 1,
        "t.yaml:4:29: error[NTP0215]: of this mode there are two schedules\n"},
    {"bound_to_one_schedule_and_preempted",
        HEAD "explore: {bound: why, preemptions: 1}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0214]: what is bound to one schedule has no "
        "others to try\n"},
    {"two_steps_keys", HEAD STEPS_OK "steps: []\n", 1,
        "t.yaml:6:1: error[NTP0104]: duplicate key 'steps'\n"},
    {"version_2", "ntpmu: 2\nid: t\ntitle: Test\n" STEPS_OK, 1,
        "t.yaml:1:8: error[NTP0207]: this program reads version 1 of the "
        "language\n"},
    {"version_that_is_a_word", "ntpmu: one\nid: t\ntitle: Test\n" STEPS_OK, 1,
        "t.yaml:1:8: error[NTP0205]: expected a whole number\n"},
    {"id_with_a_capital", "ntpmu: 1\nid: Hal.x\ntitle: Test\n" STEPS_OK, 1,
        "t.yaml:2:5: error[NTP0203]: 'Hal.x' is not an id\n"},
    {"id_with_a_dash", "ntpmu: 1\nid: hal-x\ntitle: Test\n" STEPS_OK, 1,
        "t.yaml:2:5: error[NTP0203]"},
    {"empty_title", "ntpmu: 1\nid: t\ntitle: \"\"\n" STEPS_OK, 1,
        "t.yaml:3:8: error[NTP0205]: expected a text\n"},
    {"tags", HEAD "tags: [hal, smoke]\n" STEPS_OK, 0, ""},
    {"tags_that_are_no_list", HEAD "tags: hal\n" STEPS_OK, 1,
        "t.yaml:4:7: error[NTP0205]: expected a list, [a, b]\n"},
    {"no_steps_at_all", HEAD "steps: []\n", 1,
        "t.yaml:4:8: error[NTP0205]: an empty list\n"},
    {"steps_that_are_no_list", HEAD "steps: {a: 1}\n", 1,
        "t.yaml:4:8: error[NTP0205]: expected a list, [a, b]\n"},
    {"scenario_without_an_expectation",
        HEAD "steps:\n- {call: KeGetCurrentIrql}\n", 1,
        "t.yaml:4:1: error[NTP0210]: the scenario has no expectation\n"},
    {"scenario_that_cites_nothing",
        HEAD "steps:\n- {call: KeGetCurrentIrql, expect: {returns: 0}}\n", 0,
        ""},
    {"every_error_is_reported_in_one_pass",
        "ntpmu: 1\nid: X\ntitle: \"\"\nmachine: {os: WIN12}\nsteps:\n- {call: "
        "KeGetCurentIrql}\n- {note: x}\n",
        5, "t.yaml:2:5: error[NTP0203]"},
};

static struct scenario_error_row machine_rows[] = {
    {"whole_machine",
        HEAD "machine: {os: WIN10_1903, arch: x86, cpus: 8, groups: 1, pmu: "
             "{model: intel_v2, "
             "general: 4, fixed: 0, width: 40, skid: 0}}\n" STEPS_OK,
        0, ""},
    {"unknown_version_of_windows", HEAD "machine: {os: WIN10_1909}\n" STEPS_OK,
        1,
        "t.yaml:4:15: error[NTP0203]: unknown Windows version 'WIN10_1909'\n"
        "    4 | machine: {os: WIN10_1909}\n"
        "      |               ^~~~~~~~~~ did you mean 'WIN10_1903'?\n"},
    {"unknown_architecture", HEAD "machine: {arch: amd64}\n" STEPS_OK, 1,
        "t.yaml:4:17: error[NTP0203]: unknown architecture 'amd64'\n"},
    {"windows_11_never_ran_on_x86", HEAD "machine: {arch: x86}\n" STEPS_OK, 1,
        "t.yaml:4:17: error[NTP0213]: WIN11 never ran on x86\n"},
    {"windows_7_never_ran_on_arm64",
        HEAD "machine:\n  os: WIN7\n  arch: arm64\n" STEPS_OK, 1,
        "t.yaml:6:9: error[NTP0213]: WIN7 never ran on arm64\n"},
    {"no_processors", HEAD "machine: {cpus: 0}\n" STEPS_OK, 1,
        "t.yaml:4:17: error[NTP0206]: 0 is not from 1 to 2048\n"},
    {"too_many_processors", HEAD "machine: {cpus: 2049}\n" STEPS_OK, 1,
        "t.yaml:4:17: error[NTP0206]"},
    {"too_many_processors_for_x86",
        HEAD "machine: {os: WIN7, arch: x86, cpus: 33}\n" STEPS_OK, 1,
        "t.yaml:4:38: error[NTP0213]: x86 has at most 32 processors\n"},
    {"too_many_groups_for_windows_7",
        HEAD "machine: {os: WIN7, cpus: 64, groups: 5}\n" STEPS_OK, 1,
        "t.yaml:4:39: error[NTP0213]: WIN7 on x64 has at most 4 processor "
        "groups\n"},
    {"too_many_processors_for_windows_7",
        HEAD "machine: {os: WIN7, cpus: 257}\n" STEPS_OK, 1,
        "t.yaml:4:27: error[NTP0213]: WIN7 on x64 has at most 4 processor "
        "groups\n"},
    {"more_groups_than_processors",
        HEAD "machine: {cpus: 2, groups: 3}\n" STEPS_OK, 1,
        "t.yaml:4:28: error[NTP0213]: groups of 1 to 64 processors: 2 cannot "
        "be in 3 of them\n"},
    {"one_processor_group",
        HEAD "machine: {os: WIN7, arch: x86, groups: 2}\n" STEPS_OK, 1,
        "t.yaml:4:40: error[NTP0213]: WIN7 on x86 has at most 1 processor "
        "group\n"},
    {"group_of_more_than_64", HEAD "machine: {cpus: 65, groups: 1}\n" STEPS_OK,
        1, "t.yaml:4:29: error[NTP0213]"},
    {"groups_of_unequal_size", HEAD "machine: {groups: [64, 8, 1]}\n" STEPS_OK,
        0, ""},
    {"sizes_that_cpus_agrees_with",
        HEAD "machine: {cpus: 9, groups: [8, 1]}\n" STEPS_OK, 0, ""},
    {"sizes_that_cpus_contradicts",
        HEAD "machine: {cpus: 8, groups: [8, 1]}\n" STEPS_OK, 1,
        "t.yaml:4:17: error[NTP0214]: groups of these sizes have 9 processors\n"
        "    4 | machine: {cpus: 8, groups: [8, 1]}\n"
        "      |                 ^ leave cpus out: the sizes say it\n"},
    {"group_without_a_processor",
        HEAD "machine: {groups: [8, 0, 1]}\n" STEPS_OK, 1,
        "t.yaml:4:23: error[NTP0206]: 0 is not from 1 to 64\n"},
    {"group_with_one_too_many", HEAD "machine: {groups: [65]}\n" STEPS_OK, 1,
        "t.yaml:4:20: error[NTP0206]: 65 is not from 1 to 64\n"},
    {"no_groups_at_all", HEAD "machine: {groups: []}\n" STEPS_OK, 1,
        "t.yaml:4:19: error[NTP0205]: an empty list\n"},
    {"groups_that_are_a_mapping", HEAD "machine: {groups: {a: 1}}\n" STEPS_OK,
        1,
        "t.yaml:4:19: error[NTP0205]: expected a whole number\n"
        "    4 | machine: {groups: {a: 1}}\n"
        "      |                   ^ how many groups, or the size of each: "
        "[64, "
        "8, 1]\n"},
    {"too_many_sizes",
        HEAD
        "machine: {groups: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
        "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}\n" STEPS_OK,
        1, "t.yaml:4:19: error[NTP0206]: more than 32 processor groups\n"},
    {"too_many_groups_of_sizes_for_windows_7",
        HEAD "machine: {os: WIN7, groups: [4, 4, 4, 4, 4]}\n" STEPS_OK, 1,
        "t.yaml:4:29: error[NTP0213]: WIN7 on x64 has at most 4 processor "
        "groups\n"},
    {"second_group_on_x86",
        HEAD "machine: {os: WIN7, arch: x86, groups: [8, 1]}\n" STEPS_OK, 1,
        "t.yaml:4:40: error[NTP0213]: WIN7 on x86 has at most 1 processor "
        "group\n"},
    {"too_large_a_group_on_x86",
        HEAD "machine: {os: WIN7, arch: x86, groups: [33]}\n" STEPS_OK, 1,
        "t.yaml:4:40: error[NTP0213]: x86 has at most 32 processors\n"},
    {"unknown_pmu_model", HEAD "machine: {pmu: {model: intel_v9}}\n" STEPS_OK,
        1, "t.yaml:4:24: error[NTP0203]: unknown PMU model 'intel_v9'\n"},
    {"too_many_counters", HEAD "machine: {pmu: {general: 32}}\n" STEPS_OK, 1,
        "t.yaml:4:26: error[NTP0206]: 32 is not from 0 to 31\n"},
    {"too_narrow_counters", HEAD "machine: {pmu: {width: 31}}\n" STEPS_OK, 1,
        "t.yaml:4:24: error[NTP0206]: 31 is not from 32 to 64\n"},
    {"more_counters_than_intel_has",
        HEAD "machine: {pmu: {general: 9}}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0213]: no processor has this PMU: an Intel PMU "
        "has at most 8 general counters here\n"},
    {"figures_that_go_together",
        HEAD "machine: {pmu: {model: intel_v1, version: 2, fixed: 3, width: "
             "57, full_width: true, tsc: 8, ref: 3/100}}\n" STEPS_OK,
        0, ""},
    {"figures_of_another_vendor",
        HEAD "machine: {pmu: {fixed: 1, model: zen4}}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0213]: no processor has this PMU: only Intel's "
        "PMUs have fixed counters\n"},
    {"no_pmu", HEAD "machine: {pmu: {model: none}}\n" STEPS_OK, 0, ""},
    {"no_pmu_with_counters",
        HEAD "machine: {pmu: {model: none, general: 1}}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0213]: no processor has this PMU: a processor "
        "without a PMU (version 0) has no counters\n"},
    {"arm_on_x64", HEAD "machine: {pmu: {model: neoverse_n1}}\n" STEPS_OK, 1,
        "t.yaml:4:24: error[NTP0213]: neoverse_n1 is a processor of the vendor "
        "arm, and x64 has none of those\n"},
    {"amd_on_x86",
        HEAD "machine: {os: WIN7, arch: x86, pmu: {model: k8}}\n" STEPS_OK, 0,
        ""},
    {"flag_that_is_a_number",
        HEAD "machine: {pmu: {full_width: 1, general: 9}}\n" STEPS_OK, 1,
        "t.yaml:4:29: error[NTP0205]: expected true or false\n"},
    {"clock_that_is_a_word", HEAD "machine: {pmu: {tsc: fast}}\n" STEPS_OK, 1,
        "t.yaml:4:22: error[NTP0205]: expected how many in a core cycle, as p "
        "or p/q\n"},
    {"clock_over_nothing", HEAD "machine: {pmu: {ref: 1/0}}\n" STEPS_OK, 1,
        "t.yaml:4:22: error[NTP0206]"},
    {"clock_that_stands", HEAD "machine: {pmu: {ref: 0}}\n" STEPS_OK, 1,
        "t.yaml:4:11: error[NTP0213]: no processor has this PMU: a clock has "
        "more than 0 and at most 8 cycles per core cycle\n"},
    {"virtual_machine", HEAD "machine: {virtualized: absent}\n" STEPS_OK, 0,
        ""},
    {"virtual_machine_as_it_is_ruled",
        HEAD "machine: {virtualized: default}\n" STEPS_OK, 0, ""},
    {"virtual_machine_that_nobody_has",
        HEAD "machine: {virtualized: true}\n" STEPS_OK, 1,
        "t.yaml:4:24: error[NTP0203]: unknown virtual machine 'true'\n"},
    {"virtual_machine_without_a_pmu_to_be_inert",
        HEAD "machine: {virtualized: inert, pmu: {model: none}}\n" STEPS_OK, 1,
        "t.yaml:4:24: error[NTP0213]: the processor none has no PMU that could "
        "be inert\n"},
    {"virtual_machine_where_no_pmu_is_modelled",
        HEAD "machine: {arch: ia64, os: WIN7, virtualized: absent}\n" STEPS_OK,
        1,
        "t.yaml:4:33: error[NTP0215]: the model has a PMU for x86, x64 and "
        "arm64 only\n"},
    {"machine_that_is_a_word", HEAD "machine: big\n" STEPS_OK, 1,
        "t.yaml:4:10: error[NTP0205]: expected a mapping, {key: value}\n"},
    {"matrix_of_versions", HEAD "matrix: {os: [WIN7, WIN8]}\n" STEPS_OK, 0, ""},
    {"matrix_with_a_pair_that_never_was",
        HEAD "matrix:\n  os: [WIN7, WIN11]\n  arch: [x64, x86]\n" STEPS_OK, 1,
        "t.yaml:6:15: error[NTP0213]: WIN11 never ran on x86\n"},
    {"matrix_with_the_same_twice",
        HEAD "matrix: {os: [WIN7, WIN8, WIN7]}\n" STEPS_OK, 1,
        "t.yaml:4:27: error[NTP0214]: 'WIN7' stands twice in this axis\n"},
    {"axis_that_machine_sets_too",
        HEAD "machine: {os: WIN7}\nmatrix: {os: [WIN8]}\n" STEPS_OK, 1,
        "t.yaml:5:10: error[NTP0214]: 'os' stands in machine and in matrix\n"},
    {"axis_that_is_no_list", HEAD "matrix: {os: WIN7}\n" STEPS_OK, 1,
        "t.yaml:4:14: error[NTP0205]"},
    {"axis_that_nobody_uses", HEAD "matrix: {k: [1, 2]}\n" STEPS_OK, 1,
        "t.yaml:4:10: error[NTP0209]: axis 'k' is never used\n"},
    {"axis_of_a_machine_key_is_used", HEAD "matrix: {cpus: [1, 2]}\n" STEPS_OK,
        0, ""},
    {"axis_of_a_mapping", HEAD "matrix: {pmu: [1, 2]}\n" STEPS_OK, 1,
        "t.yaml:4:10: error[NTP0205]: 'pmu' is no single value\n"},
};

#define OVF                                                                    \
    "callbacks:\n  ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: []}\n"

/* An event buffer's handler in whose body this is expected. */
#define EVB(expects)                                                           \
    "callbacks:\n  ovf:\n    type: "                                           \
    "PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER\n    do:\n    - "         \
    "{expect: "                                                                \
    "{" expects ", covers: [T-01]}}\n"

static struct scenario_error_row actor_rows[] = {
    {"same_actor_twice",
        HEAD "actors: [a, a]\nsteps:\n- {as: a, call: KeGetCurrentIrql, "
             "expect: {returns: 0, "
             "covers: [T-01]}}\n",
        1, "t.yaml:4:13: error[NTP0214]: actor 'a' stands twice\n"},
    {"actor_called_nobody", HEAD "actors: [nobody]\n" STEPS_OK, 1,
        "t.yaml:4:10: error[NTP0203]"},
    {"actor_that_is_not_used",
        HEAD "actors: [a, b]\nsteps:\n- {as: a, call: KeGetCurrentIrql, "
             "expect: {returns: 0, "
             "covers: [T-01]}}\n",
        1, "t.yaml:4:13: error[NTP0209]: actor 'b' is never used\n"},
    {"step_without_its_actor",
        HEAD "actors: [a, b]\nsteps:\n- {as: a, call: KeGetCurrentIrql, "
             "expect: {returns: 0, "
             "covers: [T-01]}}\n- {as: b, call: KeGetCurrentIrql}\n- {call: "
             "KeGetCurrentIrql}\n",
        1,
        "t.yaml:8:3: error[NTP0204]: missing key 'as': there are 2 actors\n"},
    {"step_of_an_unknown_actor",
        HEAD "steps:\n- {as: drw, call: KeGetCurrentIrql, expect: {returns: 0, "
             "covers: [T-01]}}\n",
        1,
        "t.yaml:5:8: error[NTP0203]: unknown actor 'drw'\n"
        "    5 | - {as: drw, call: KeGetCurrentIrql, expect: {returns: 0, "
        "covers: [T-01]}}\n"
        "      |        ^~~ did you mean 'drv'?\n"},
    {"callback_that_is_not_used", HEAD OVF STEPS_OK, 1,
        "t.yaml:5:3: error[NTP0209]: callback 'ovf' is never used\n"},
    {"callback_without_a_type",
        HEAD "callbacks:\n  ovf: {do: []}\nsteps:\n- {call: "
             "HalAllocateHardwareCounters, args: "
             "{GroupAffinty: null, GroupCount: 0, ResourceList: {Descriptors: "
             "[{Type: 3, u: {OverflowHandler: $ovf}}]}}, "
             "expect: {status: 0, covers: [T-01]}}\n",
        1, "t.yaml:5:3: error[NTP0204]: missing key 'type'\n"},
    {"callback_of_an_unknown_type",
        HEAD "callbacks:\n  ovf: {type: PCW_CALLBACK, do: []}\n" STEPS_OK, 1,
        "t.yaml:5:15: error[NTP0203]: unknown callback type 'PCW_CALLBACK'\n"},
    {"entries_where_nobody_has_them",
        HEAD "steps:\n- {call: KeGetCurrentIrql, expect: {entries: {len: 1}, "
             "covers: [T-01]}}\n",
        1, "t.yaml:5:37: error[NTP0215]: no event buffer is handed on here\n"},
    {"entries_of_a_machine_without", HEAD EVB("entries: {len: 1}") STEPS_OK, 1,
        "t.yaml:8:17: error[NTP0215]: the PMU of this machine has no event "
        "buffers, so the handler is never called\n"},
    {"fields_of_a_machine_without",
        HEAD EVB("that: $(EventBuffer.0.Ip == 1)") STEPS_OK, 1,
        "t.yaml:8:25: error[NTP0216]: the PMU of this machine has no event "
        "buffers, so their entries have no fields\n"},
    {"callbacks_that_are_a_list", HEAD "callbacks: [ovf]\n" STEPS_OK, 1,
        "t.yaml:4:12: error[NTP0205]"},
    {"seventeen_callbacks",
        HEAD "callbacks: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, k: "
             "1, j: 1, l: 1, "
             "m: 1, o: 1, p: 1, q: 1, r: 1, s: 1}\n" STEPS_OK,
        1, "t.yaml:4:12: error[NTP0109]: more than 16 callbacks\n"},
};

/* What kind of file it is, without an error. */
static struct kind_row {
    const char *name;
    const char *text;
    enum file_kind want;
} kind_rows[] = {
    {"scenario_begins_with_ntpmu", HEAD STEPS_OK, FILE_SCENARIO},
    {"file_that_begins_otherwise_is_none_of_ours", "version: 3\nntpmu: 1\n",
        FILE_OTHER},
    {"empty_file_is_none_of_ours", "", FILE_OTHER},
    {"list_is_none_of_ours", "[ntpmu]", FILE_OTHER},
    {"empty_mapping_is_none_of_ours", "{}", FILE_OTHER},
    {"requirements_are_ours",
        "ntpmu: 1\nrequirements: {A-01: {tag: D, source: s, text: t}}\n",
        FILE_REQUIREMENTS},
};

static void kind_row(void **state)
{
    const struct kind_row *row = *state;
    struct scenario_text made;

    scenario_text_read(&made, row->text);
    text_file_assert_errors(&made.file, "");
    assert_int_equal(made.kind, row->want);
    assert_int_equal(made.scenario != NULL, row->want == FILE_SCENARIO);
    scenario_text_release(&made);
}

static void scenario_has_what_the_file_says(void **state)
{
    struct scenario_text made;
    const struct scenario *scenario;

    (void)state;
    scenario_text_read(&made,
        "ntpmu: 1\nid: hal.x_1\ntitle: A title\ntags: [hal, smoke]\n"
        "machine: {arch: x64, cpus: 6, groups: 2, pmu: {model: skylake, "
        "general: 2, fixed: 1, width: 40, latency: 7, full_width: false, "
        "ref: 3/100}}\nmatrix: {os: [WIN7, WIN11]}\n" STEPS_OK);
    scenario = made.scenario;
    assert_non_null(scenario);
    assert_string_equal(made.outline->id, "hal.x_1");
    assert_string_equal(made.outline->title, "A title");
    assert_int_equal(made.outline->tag_count, 2);
    assert_string_equal(made.outline->tag[1], "smoke");
    assert_int_equal(scenario->machine.processors, 6);
    assert_int_equal(scenario->machine.groups, 2);
    assert_string_equal(scenario->machine.pmu.name, "skylake");
    assert_int_equal(scenario->machine.pmu.version, 4);
    assert_int_equal(scenario->machine.pmu.general, 2);
    assert_int_equal(scenario->machine.pmu.fixed, 1);
    assert_int_equal(scenario->machine.pmu.width, 40);
    assert_int_equal(scenario->machine.pmu.latency, 7);
    assert_false(scenario->machine.pmu.full_width);
    assert_true(scenario->machine.pmu.any_thread);
    assert_int_equal(scenario->machine.pmu.ref.p, 3);
    assert_int_equal(scenario->machine.pmu.ref.q, 100);
    assert_int_equal(made.outline->instances.count, 2);
    assert_int_equal(made.outline->instances.item[1].statics.os, OS_WIN11);
    scenario_text_release(&made);
}

static void machine_that_is_left_out_is_windows_11_on_four_processors(
    void **state)
{
    struct scenario_text made;

    (void)state;
    scenario_text_read(&made, HEAD STEPS_OK);
    assert_int_equal(made.scenario->machine.processors, 4);
    assert_int_equal(made.scenario->machine.groups, 1);
    assert_int_equal(made.outline->instances.count, 1);
    assert_int_equal(made.scenario->os, OS_WIN11);
    assert_int_equal(made.scenario->arch, ARCH_X64);
    assert_int_equal(made.scenario->actor_count, 1);
    assert_string_equal(made.scenario->actor[0].driver.name, "drv");
    scenario_text_release(&made);
}

static void missing_file_is_unreadable(void **state)
{
    struct scenario_text made;

    (void)state;
    scenario_text_read(&made, HEAD STEPS_OK);
    made.kind = scenario_file_read(
        made.file.memory, "/nowhere/at/all.yaml", made.library, &made.outline);
    assert_int_equal(made.kind, FILE_BROKEN);
    assert_null(made.outline);
    text_file_assert_errors(&made.file,
        "/nowhere/at/all.yaml: error[NTP0101]: No such file or directory\n");
    scenario_text_release(&made);
}

TEST_FILE(test_scenario_file)
{
    TEST_ADD_ROWS(list, scenario_error_row, head_rows);
    TEST_ADD_ROWS(list, scenario_error_row, machine_rows);
    TEST_ADD_ROWS(list, scenario_error_row, actor_rows);
    TEST_ADD_ROWS(list, kind_row, kind_rows);
    test_add(list, "scenario_has_what_the_file_says",
        scenario_has_what_the_file_says, NULL);
    test_add(list, "machine_that_is_left_out_is_windows_11_on_four_processors",
        machine_that_is_left_out_is_windows_11_on_four_processors, NULL);
    test_add(
        list, "missing_file_is_unreadable", missing_file_is_unreadable, NULL);
}
