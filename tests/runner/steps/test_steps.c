/* test_steps.c - steps and their arguments: every error with its
 * place (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/scenario/scenario_text.h"

/* Steps begin in line 5; a right one follows so that the rest is complete. */
#define STEPS(steps) HEAD "steps:\n" steps STEP_OK

static struct scenario_error_row step_rows[] = {
    {"step_that_is_a_word", STEPS("- call\n"), 1,
        "t.yaml:5:3: error[NTP0205]: expected a mapping, {key: value}\n"},
    {"step_that_does_nothing", STEPS("- {note: x}\n"), 1,
        "t.yaml:5:3: error[NTP0204]: nothing here says what it is\n"},
    {"step_that_does_two_things",
        STEPS("- {call: KeGetCurrentIrql, run: {cycles: 1}}\n"), 1,
        "t.yaml:5:28: error[NTP0214]: 'call' and 'run' exclude each other\n"},
    {"misspelt_step", STEPS("- {cal: KeGetCurrentIrql}\n"), 1,
        "t.yaml:5:4: error[NTP0202]: unknown key 'cal'\n"
        "    5 | - {cal: KeGetCurrentIrql}\n"
        "      |    ^~~ did you mean 'call'?\n"},
    {"condition_of_an_unknown_name",
        STEPS("- {when: $x, call: KeGetCurrentIrql}\n"), 1,
        "t.yaml:5:10: error[NTP0216]: no variable 'x' is set before this "
        "place\n"},
    {"condition_that_is_none",
        STEPS("- {when: maybe, call: KeGetCurrentIrql}\n"), 1,
        "t.yaml:5:10: error[NTP0205]: expected $( ) that is true or false\n"},
    {"condition_that_is_always_true",
        STEPS("- {when: $(os == WIN11), call: KeGetCurrentIrql}\n"), 1,
        "t.yaml:5:10: error[NTP0215]: this is true in every instance\n"},
    {"arguments_without_a_call",
        STEPS("- {run: {cycles: 1}, args: {Count: 1}}\n"), 1,
        "t.yaml:5:22: error[NTP0214]: 'args' belongs to a call\n"},
};

static struct scenario_error_row call_rows[] = {
    {"unknown_routine",
        STEPS("- {call: HalAllocateHardwareCounter, args: {}}\n"), 1,
        "t.yaml:5:10: error[NTP0203]: unknown routine "
        "'HalAllocateHardwareCounter'\n"
        "    5 | - {call: HalAllocateHardwareCounter, args: {}}\n"
        "      |          ^~~~~~~~~~~~~~~~~~~~~~~~~~ did you mean "
        "'HalAllocateHardwareCounters'?\n"},
    {"routine_that_is_not_modelled", STEPS("- {call: IoCallDriver}\n"), 1,
        "t.yaml:5:10: error[NTP0207]: 'IoCallDriver' is not modelled: "
        "it is a macro of the WDK; drivers call IofCallDriver\n"},
    {"routine_that_is_a_list", STEPS("- {call: [a]}\n"), 1,
        "t.yaml:5:10: error[NTP0203]: unknown routine '[a]'\n"},
    {"unknown_parameter",
        STEPS("- {call: KfRaiseIrql, args: {NewIrql: 1, OldIrql: 0}}\n"), 1,
        "t.yaml:5:42: error[NTP0202]: KfRaiseIrql has no parameter "
        "'OldIrql'\n"},
    {"parameter_spelt_right",
        STEPS(
            "- {call: HalAllocateHardwareCounters, args: {GroupAffinity: null, "
            "GroupAffinty: null, GroupCount: 0, ResourceList: null}}\n"),
        1,
        "t.yaml:5:46: error[NTP0202]: HalAllocateHardwareCounters has no "
        "parameter 'GroupAffinity'\n"},
    {"missing_argument", STEPS("- {call: KfRaiseIrql}\n"), 1,
        "t.yaml:5:10: error[NTP0204]: missing argument 'NewIrql'\n"},
    {"every_missing_argument", STEPS("- {call: HalAllocateHardwareCounters}\n"),
        3, "t.yaml:5:10: error[NTP0204]: missing argument 'GroupAffinty'\n"},
    {"output_may_be_left_out",
        STEPS("- {call: HalAllocateHardwareCounters, args: {GroupAffinty: "
              "null, GroupCount: 0, "
              "ResourceList: null}}\n"),
        0, ""},
    {"arguments_that_are_a_list", STEPS("- {call: KfRaiseIrql, args: [1]}\n"),
        1, "t.yaml:5:29: error[NTP0205]: expected {Parameter: value}\n"},
    {"number_out_of_its_type",
        STEPS("- {call: KfRaiseIrql, args: {NewIrql: 256}}\n"), 1,
        "t.yaml:5:39: error[NTP0206]: 256 is too large for a KIRQL\n"},
    {"unknown_constant",
        STEPS("- {call: KfRaiseIrql, args: {NewIrql: DISPACH_LEVEL}}\n"), 1,
        "t.yaml:5:39: error[NTP0203]: 'DISPACH_LEVEL' is not a KIRQL\n"},
    {"unknown_member",
        STEPS("- call: KeSetHardwareCounterConfiguration\n  args:\n    "
              "CounterArray: [{Typ: 0}]\n"
              "    Count: 1\n"),
        1, "t.yaml:7:21: error[NTP0202]: no member 'Typ' here\n"},
    {"hal_without_a_pmu",
        HEAD "machine: {os: WIN10_1903, arch: arm32}\nsteps:\n- {call: "
             "HalFreeHardwareCounters, args: "
             "{CounterSetHandle: null}, expect: {status: STATUS_SUCCESS, "
             "covers: [T-01]}}\n",
        1,
        "t.yaml:6:10: error[NTP0207]: HalFreeHardwareCounters needs a PMU, and "
        "the model has one for x86, x64 and arm64 only\n"},
};

static struct scenario_error_row save_rows[] = {
    {"variable_that_is_not_used",
        STEPS("- {call: KeGetCurrentIrql, save: {a: returns}}\n"), 1,
        "t.yaml:5:35: error[NTP0209]: variable 'a' is never used\n"},
    {"variable_that_nobody_sets",
        STEPS("- {call: KfRaiseIrql, args: {NewIrql: $old}}\n"), 1,
        "t.yaml:5:39: error[NTP0208]: no variable 'old' is set before this "
        "place\n"},
    {"variable_that_is_set_later",
        STEPS("- {call: KfRaiseIrql, args: {NewIrql: $old}}\n"
              "- {call: KeGetCurrentIrql, save: {old: returns}}\n"),
        1, "t.yaml:5:39: error[NTP0208]"},
    {"variable_that_is_set_twice",
        STEPS("- {call: KeGetCurrentIrql, save: {a: returns}}\n"
              "- {call: KeGetCurrentIrql, save: {a: returns}}\n- {call: "
              "KfRaiseIrql, args: {NewIrql: $a}}\n"),
        1, "t.yaml:6:35: error[NTP0214]: variable 'a' is set twice\n"},
    {"variable_of_the_wrong_type",
        STEPS("- {call: KeGetCurrentIrql, save: {a: returns}}\n"
              "- {call: HalFreeHardwareCounters, args: {CounterSetHandle: "
              "$a}}\n"),
        1, "t.yaml:6:60: error[NTP0205]: $a is a KIRQL, expected HANDLE\n"},
    {"result_that_the_step_lacks",
        STEPS("- {call: KeGetCurrentIrql, save: {a: status}}\n"), 1,
        "t.yaml:5:38: error[NTP0203]: this step has no result 'status'\n"
        "    5 | - {call: KeGetCurrentIrql, save: {a: status}}\n"
        "      |                                      ^~~~~~ it has: "
        "returns\n"},
    {"output_that_the_routine_lacks",
        STEPS(
            "- {call: HalAllocateHardwareCounters, args: {GroupAffinty: null, "
            "GroupCount: 0, ResourceList: null}, save: {a: out.Handle}}\n"),
        1,
        "t.yaml:5:112: error[NTP0203]: this step has no result 'out.Handle'\n"},
    {"list_that_nobody_reads",
        STEPS("- {call: KeQueryHardwareCounterConfiguration, args: "
              "{MaximumCount: 1}, "
              "save: {a: out.CounterArray}}\n"),
        1, "t.yaml:5:79: error[NTP0209]: variable 'a' is never used\n"},
    {"nothing_to_save", STEPS("- {run: {cycles: 1}, save: {a: value}}\n"), 1,
        "t.yaml:5:32: error[NTP0203]"},
    {"save_that_is_a_word",
        STEPS("- {call: KeGetCurrentIrql, save: returns}\n"), 1,
        "t.yaml:5:34: error[NTP0205]: expected {variable: result}\n"},
    {"expression_that_divides_by_zero",
        STEPS("- {call: KfRaiseIrql, args: {NewIrql: $(1 / 0)}}\n"), 1,
        "t.yaml:5:43: error[NTP0216]: division by zero\n"},
};

/* $m is set where the first condition holds, and read where the second does. */
#define CONDITIONS(first, second)                                              \
    HEAD "steps:\n- {call: KeGetCurrentIrql, save: {l: returns}}\n"            \
         "- {when: " first ", call: KeGetCurrentProcessorNumberEx, "           \
         "save: {m: returns}}\n- {when: " second                               \
         ", call: KeGetCurrentProcessorNumberEx, expect: {returns: $m, "       \
         "covers: [T-01]}}\n"
#define UNSET "t.yaml:7:"

static struct scenario_error_row condition_rows[] = {
    {"same_condition", CONDITIONS("$(l == 0)", "$(l == 0)"), 0, ""},
    {"other_condition", CONDITIONS("$(l == 0)", "$(l < 1)"), 1, UNSET},
    {"narrower_condition", CONDITIONS("$(l == 0)", "$(l == 0 and l < 2)"), 0,
        ""},
    {"narrower_in_parentheses",
        CONDITIONS("$(l == 0)", "$((l == 0) and (l < 2))"), 0, ""},
    {"narrower_than_two",
        CONDITIONS(
            "$((l == 0) and (l < 1))", "$((l == 0) and (l < 1) and (l < 2))"),
        0, ""},
    {"wider_condition", CONDITIONS("$(l == 0 and l < 1)", "$(l == 0)"), 1,
        UNSET},
    {"or_behind_it", CONDITIONS("$(l == 0)", "$(l == 0 and l < 1 or l < 2)"), 1,
        UNSET},
    {"or_inside_of_it",
        CONDITIONS("$(l < 1 or l == 0)", "$(l < 1 or l == 0 and l < 2)"), 1,
        UNSET},
    {"or_in_parentheses",
        CONDITIONS("$(l < 1 or l == 0)", "$((l < 1 or l == 0) and (l < 2))"), 0,
        ""},
    {"beginning_of_a_longer_name",
        CONDITIONS("$(l < 1)", "$(l < 10 and l < 2)"), 1, UNSET},
};

static struct scenario_error_row workload_rows[] = {
    {"run_without_cycles", STEPS("- run: {cpu: 0}\n"), 1,
        "t.yaml:5:3: error[NTP0204]: missing key 'cycles'\n"},
    {"run_of_no_cycles", STEPS("- run: {cycles: 0}\n"), 1,
        "t.yaml:5:17: error[NTP0206]"},
    {"run_on_a_processor_that_is_missing",
        STEPS("- run: {cpu: 4, cycles: 1}\n"), 1,
        "t.yaml:5:14: error[NTP0206]: 4 is not from 0 to 3\n"},
    {"run_in_another_ring", STEPS("- run: {cycles: 1, ring: 1}\n"), 1,
        "t.yaml:5:26: error[NTP0203]: expected user or kernel\n"},
    {"run_with_rates",
        STEPS("- run: {cycles: 1, rates: {instructions: 3/2, branches: 1}}\n"),
        0, ""},
    {"rate_of_an_unknown_event",
        STEPS("- run: {cycles: 1, rates: {instrs: 1}}\n"), 1,
        "t.yaml:5:28: error[NTP0203]"},
    {"rate_of_a_clock", STEPS("- run: {cycles: 1, rates: {core_cycles: 1}}\n"),
        1, "t.yaml:5:28: error[NTP0203]"},
    {"rate_that_is_a_word",
        STEPS("- run: {cycles: 1, rates: {branches: often}}\n"), 1,
        "t.yaml:5:38: error[NTP0205]: expected how many in a cycle, as "
        "p or p/q\n"},
    {"rate_of_65_a_cycle", STEPS("- run: {cycles: 1, rates: {branches: 65}}\n"),
        1, "t.yaml:5:38: error[NTP0206]"},
    {"rate_over_nothing", STEPS("- run: {cycles: 1, rates: {branches: 1/0}}\n"),
        1, "t.yaml:5:38: error[NTP0206]"},
    {"rate_of_the_largest_terms",
        STEPS("- run: {cycles: 1, rates: {branches: "
              "0x40000000000000/0x1000000000000}}\n"),
        0, ""},
    {"rate_past_the_largest_terms",
        STEPS("- run: {cycles: 1, rates: {branches: 1/0x1000000000001}}\n"), 1,
        "t.yaml:5:38: error[NTP0206]: a rate is at most 64 in a cycle, as p/q "
        "with q from 1 to 2^48\n"},
    {"run_of_a_mix", STEPS("- run: {cycles: 1, mix: memory_bound}\n"), 0, ""},
    {"run_of_an_unknown_mix", STEPS("- run: {cycles: 1, mix: computing}\n"), 1,
        "t.yaml:5:25: error[NTP0203]: unknown mix 'computing'\n"},
    {"most_events_of_a_segment",
        STEPS("- run: {cycles: 10, events: {branches: 640}}\n"), 0, ""},
    {"events_that_do_not_fit",
        STEPS("- run: {cycles: 10, events: {branches: 641}}\n"), 1,
        "t.yaml:5:40: error[NTP0206]: 641 events do not fit in 10 cycles\n"},
    {"events_that_are_a_rate",
        STEPS("- run: {cycles: 10, events: {branches: 1/2}}\n"), 1,
        "t.yaml:5:40: error[NTP0205]: expected a whole number\n"},
    {"events_of_a_clock",
        STEPS("- run: {cycles: 10, events: {core_cycles: 5}}\n"), 1,
        "t.yaml:5:30: error[NTP0203]: no event 'core_cycles' that a workload "
        "can give a rate\n"},
    {"no_events", STEPS("- run: {cycles: 10, events: {}}\n"), 1,
        "t.yaml:5:29: error[NTP0205]: expected at least one {event: events in "
        "all}\n"},
    {"events_and_rates_of_one_event",
        STEPS("- run: {cycles: 10, events: {branches: 1}, rates: {branches: "
              "1/2}}\n"),
        1,
        "t.yaml:5:30: error[NTP0214]: rates and events both say how often "
        "branches happen\n"},
    {"events_and_rates_of_two_events",
        STEPS("- run: {cycles: 10, events: {branches: 1}, rates: "
              "{branch_misses: 1/2}}\n"),
        0, ""},
    {"burst_of_nothing", STEPS("- run: {cycles: 10, burst: {branches: 0}}\n"),
        1,
        "t.yaml:5:39: error[NTP0206]: 0 is not from 1 to 18014398509481984\n"},
    {"burst_of_an_unknown_event",
        STEPS("- run: {cycles: 10, burst: {branchs: 1}}\n"), 1,
        "t.yaml:5:29: error[NTP0203]"},
    {"burst_in_a_halt",
        STEPS("- run: {cycles: 10, halted: true, burst: {branches: 1}}\n"), 1,
        "t.yaml:5:35: error[NTP0215]: a halted processor runs nothing, so "
        "'burst' means nothing\n"},
    {"ring_of_idle", STEPS("- run: {cycles: 10, mix: idle, ring: user}\n"), 1,
        "t.yaml:5:32: error[NTP0215]: a halted processor runs nothing, so "
        "'ring' means nothing\n"},
    {"mix_and_halted",
        STEPS("- run: {cycles: 10, mix: compute, halted: true}\n"), 1,
        "t.yaml:5:35: error[NTP0214]: mix says already whether the processor "
        "is halted\n"},
    {"segments",
        STEPS("- run: {segments: [{cycles: 1}, {cycles: 2, mix: idle}], "
              "repeat: 2}\n"),
        0, ""},
    {"segments_and_cycles",
        STEPS("- run: {cycles: 1, segments: [{cycles: 1}]}\n"), 1,
        "t.yaml:5:20: error[NTP0214]: 'cycles' and 'segments' exclude each "
        "other\n"},
    {"segments_and_a_ring",
        STEPS("- run: {ring: user, segments: [{cycles: 1}]}\n"), 1,
        "t.yaml:5:9: error[NTP0214]: 'ring' belongs to each entry of "
        "segments\n"},
    {"no_segments", STEPS("- run: {segments: []}\n"), 1,
        "t.yaml:5:19: error[NTP0205]: an empty list\n"},
    {"segment_without_cycles", STEPS("- run: {segments: [{mix: idle}]}\n"), 1,
        "t.yaml:5:20: error[NTP0204]: missing key 'cycles'\n"},
    {"segment_of_no_cycles", STEPS("- run: {segments: [{cycles: 0}]}\n"), 1,
        "t.yaml:5:29: error[NTP0206]"},
    {"segment_that_is_a_number", STEPS("- run: {segments: [5]}\n"), 1,
        "t.yaml:5:20: error[NTP0205]: expected a mapping, {key: value}\n"},
    {"segment_that_is_repeated",
        STEPS("- run: {segments: [{cycles: 1, repeat: 2}]}\n"), 1,
        "t.yaml:5:32: error[NTP0202]: unknown key 'repeat'\n"},
    {"no_repetition", STEPS("- run: {cycles: 1, repeat: 0}\n"), 1,
        "t.yaml:5:28: error[NTP0206]: 0 is not from 1 to 1000000\n"},
    {"repetition_past_the_end_of_time",
        STEPS("- run: {cycles: 0x1000000000000, repeat: 16385}\n"), 1,
        "t.yaml:5:34: error[NTP0206]: all of it takes more than 2^62 cycles, "
        "which is the end of time\n"},
    {"repetition_to_the_end_of_time",
        STEPS("- run: {cycles: 0x1000000000000, repeat: 16384}\n"), 0, ""},
    {"halted_that_is_a_number", STEPS("- run: {cycles: 1, halted: 1}\n"), 1,
        "t.yaml:5:28: error[NTP0205]: expected true or false\n"},
    {"overflow_of_a_counter_that_is_missing",
        STEPS("- overflow: {counters: [8]}\n"), 1,
        "t.yaml:5:25: error[NTP0206]: this PMU has no counter 8\n"},
    {"overflow_without_a_pmu",
        HEAD "machine: {pmu: {model: none}}\nsteps:\n"
             "- overflow: {counters: [0]}\n" STEP_OK,
        1,
        "t.yaml:6:25: error[NTP0206]: this processor has no PMU, so it has no "
        "counter 0\n"},
    {"overflow_of_no_counter", STEPS("- overflow: {counters: []}\n"), 1,
        "t.yaml:5:24: error[NTP0205]: an empty list\n"},
    {"overflow_without_counters", STEPS("- overflow: {cpu: 1}\n"), 1,
        "t.yaml:5:3: error[NTP0204]"},
    {"unknown_register", STEPS("- rdmsr: {index: IA32_PMCO}\n"), 1,
        "t.yaml:5:18: error[NTP0203]: unknown register 'IA32_PMCO'\n"},
    {"register_by_any_number", STEPS("- rdmsr: {index: 0x12345678}\n"), 0, ""},
    {"register_by_too_large_a_number", STEPS("- rdmsr: {index: 0x100000000}\n"),
        1, "t.yaml:5:18: error[NTP0206]"},
    {"write_without_a_value", STEPS("- wrmsr: {index: IA32_PMC0}\n"), 1,
        "t.yaml:5:3: error[NTP0204]: missing key 'value'\n"},
    {"write_of_a_word", STEPS("- wrmsr: {index: IA32_PMC0, value: all}\n"), 1,
        "t.yaml:5:36: error[NTP0203]: 'all' is not a ULONG64\n"},
    {"workload_without_a_pmu",
        HEAD "machine: {os: WIN10_1903, arch: arm32}\nsteps:\n- run: {cycles: "
             "1}\n" STEP_OK,
        1,
        "t.yaml:6:3: error[NTP0207]: run needs a PMU, and the model has one "
        "for x86, x64 and arm64 only\n"},
};

#define ACTORS(steps) HEAD "actors: [a, b]\nsteps:\n" steps

static struct scenario_error_row parallel_rows[] = {
    {"two_branches",
        ACTORS("- parallel:\n    a: [{call: KeGetCurrentIrql, expect: "
               "{returns: 0, covers: [T-01]}}]\n"
               "    b: [{call: KeGetCurrentIrql}]\n"),
        0, ""},
    {"one_branch",
        ACTORS("- parallel:\n    a: [{call: KeGetCurrentIrql, expect: "
               "{returns: 0, covers: [T-01]}}]\n"
               "- {as: a, call: KeGetCurrentIrql, expect: {returns: 0, covers: "
               "[T-01]}}\n- {as: b, call: KeGetCurrentIrql}\n"),
        1,
        "t.yaml:7:5: error[NTP0205]: expected two actors or more, {actor: "
        "[steps], actor: [steps]}\n"},
    {"branch_of_an_unknown_actor",
        ACTORS("- parallel:\n    a: [{call: KeGetCurrentIrql}]\n"
               "    c: [{call: KeGetCurrentIrql}]\n- {as: b, call: "
               "KeGetCurrentIrql, expect: {returns: 0, covers: [T-01]}}\n"),
        1, "t.yaml:8:5: error[NTP0203]"},
    {"actor_named_inside_of_a_branch",
        ACTORS("- parallel:\n    a: [{as: a, call: KeGetCurrentIrql, expect: "
               "{returns: 0, "
               "covers: [T-01]}}]\n    b: [{call: KeGetCurrentIrql}]\n"),
        1, "t.yaml:7:10: error[NTP0214]: 'as' has no place here\n"},
    {"parallel_inside_of_parallel",
        ACTORS("- parallel:\n    a: [{call: KeGetCurrentIrql, expect: "
               "{returns: 0, "
               "covers: [T-01]}}]\n    b:\n    - parallel: {a: [], b: []}\n"),
        1,
        "t.yaml:9:7: error[NTP0214]: parallel stands only among the steps of "
        "the scenario\n"},
    {"variable_of_the_other_branch",
        ACTORS("- parallel:\n    a: [{call: KeGetCurrentIrql, save: {x: "
               "returns}}]\n"
               "    b: [{call: KfRaiseIrql, args: {NewIrql: $x}}]\n"
               "- {as: a, call: KfRaiseIrql, args: {NewIrql: $x}, expect: "
               "{returns: 0, covers: [T-01]}}\n"),
        1,
        "t.yaml:8:45: error[NTP0208]: no variable 'x' is set before this "
        "place\n"},
};

TEST_FILE(test_steps)
{
    TEST_ADD_ROWS(list, scenario_error_row, step_rows);
    TEST_ADD_ROWS(list, scenario_error_row, call_rows);
    TEST_ADD_ROWS(list, scenario_error_row, save_rows);
    TEST_ADD_ROWS(list, scenario_error_row, condition_rows);
    TEST_ADD_ROWS(list, scenario_error_row, workload_rows);
    TEST_ADD_ROWS(list, scenario_error_row, parallel_rows);
}
