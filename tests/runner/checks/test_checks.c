/* test_checks.c - expectations: which a step can have, how they are
 * written, and every error with its place (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/scenario/scenario_text.h"

/* The expectation stands in line 6, column 11, of a call that returns a level;
 * the last step is right. */
#define RETURNS(expect)                                                        \
    HEAD "steps:\n- call: KeGetCurrentIrql\n  expect: " expect "\n" STEP_OK
/* The same of a call that returns a status and has an output. */
#define STATUS(expect)                                                         \
    HEAD "steps:\n- {call: KeQueryHardwareCounterConfiguration, args: "        \
         "{MaximumCount: 2}}\n- call: KeQueryHardwareCounterConfiguration\n"   \
         "  args: {MaximumCount: 2}\n  expect: " expect "\n" STEP_OK
/* Of a register that is read, and of nothing at all. */
#define VALUE(expect)                                                          \
    HEAD "steps:\n- rdmsr: {index: IA32_PMC0}\n  expect: " expect "\n" STEP_OK
#define ALONE(expect) HEAD "steps:\n- expect: " expect "\n" STEP_OK

static struct scenario_error_row result_rows[] = {
    {"returns_of_a_level", RETURNS("{returns: PASSIVE_LEVEL}"), 0, ""},
    {"list_of_expectations", RETURNS("[{returns: 0}, {violations: []}]"), 0,
        ""},
    {"expectation_that_is_a_word", RETURNS("success"), 1,
        "t.yaml:6:11: error[NTP0205]"},
    {"empty_expectation", RETURNS("{}"), 1, "t.yaml:6:11: error[NTP0215]"},
    {"empty_list_of_expectations", RETURNS("[]"), 1,
        "t.yaml:6:11: error[NTP0205]: an empty list\n"},
    {"covers_alone", RETURNS("{covers: [T-01]}"), 1,
        "t.yaml:6:11: error[NTP0215]"},
    {"misspelt_expectation", RETURNS("{retruns: 0}"), 1,
        "t.yaml:6:12: error[NTP0202]: unknown key 'retruns'\n"},
    {"rows_of_a_call", RETURNS("{rows: []}"), 1,
        "t.yaml:6:12: error[NTP0215]: this step has no 'rows'\n"},
    {"returns_any", RETURNS("{returns: any}"), 1,
        "t.yaml:6:21: error[NTP0215]: this cannot fail, so it expects "
        "nothing\n"},
    {"status_of_a_level", RETURNS("{status: STATUS_SUCCESS}"), 1,
        "t.yaml:6:12: error[NTP0215]: this step has no 'status'\n"},
    {"value_of_a_call", RETURNS("{value: 0}"), 1,
        "t.yaml:6:12: error[NTP0215]: this step has no 'value'\n"},
    {"level_that_is_unknown", RETURNS("{returns: PASIVE_LEVEL}"), 1,
        "t.yaml:6:21: error[NTP0203]: 'PASIVE_LEVEL' is not a KIRQL\n"},
    {"status_by_name", STATUS("{status: STATUS_SUCCESS}"), 0, ""},
    {"status_with_a_matcher",
        STATUS("{status: {one_of: [STATUS_SUCCESS, STATUS_BUFFER_TOO_SMALL]}}"),
        0, ""},
    {"unknown_status", STATUS("{status: STATUS_SUCESS}"), 1,
        "t.yaml:8:20: error[NTP0203]: unknown status 'STATUS_SUCESS'\n"
        "    8 |   expect: {status: STATUS_SUCESS}\n"
        "      |                    ^~~~~~~~~~~~~ did you mean "
        "'STATUS_SUCCESS'?\n"},
    {"status_in_quotes", STATUS("{status: \"STATUS_SUCCESS\"}"), 1,
        "t.yaml:8:20: error[NTP0205]"},
    {"returns_of_a_status", STATUS("{returns: 0}"), 1,
        "t.yaml:8:12: error[NTP0215]: this step has no 'returns'\n"},
    {"outputs",
        STATUS("{out: {Count: 0, CounterArray: [{Index: 1}, unchanged]}}"), 0,
        ""},
    {"unchanged_output", STATUS("{out: {CounterArray: unchanged}}"), 0, ""},
    {"output_that_the_routine_lacks", STATUS("{out: {Cuont: 0}}"), 1,
        "t.yaml:8:18: error[NTP0203]: KeQueryHardwareCounterConfiguration has "
        "no output 'Cuont'\n"},
    {"input_as_an_output", STATUS("{out: {MaximumCount: 2}}"), 1,
        "t.yaml:8:18: error[NTP0203]"},
    {"output_that_is_a_word", STATUS("{out: unchanged}"), 1,
        "t.yaml:8:17: error[NTP0205]: expected {Parameter: value}\n"},
    {"any_output", STATUS("{out: {Count: any}}"), 1,
        "t.yaml:8:25: error[NTP0215]"},
    {"member_that_the_output_lacks",
        STATUS("{out: {CounterArray: [{Indx: 1}]}}"), 1,
        "t.yaml:8:34: error[NTP0202]: no member 'Indx' in HARDWARE_COUNTER\n"},
    {"value_of_a_register", VALUE("{value: 0x0}"), 0, ""},
    {"value_with_bits", VALUE("{value: {bits: {clear: 0x1}}}"), 0, ""},
    {"status_of_a_register", VALUE("{status: 0}"), 1,
        "t.yaml:6:12: error[NTP0215]: this step has no 'status'\n"},
    {"output_of_a_register", VALUE("{out: {Count: 0}}"), 1,
        "t.yaml:6:12: error[NTP0215]: this step has no 'out'\n"},
    {"register_raises_gp", VALUE("{raises: GP}"), 0, ""},
    {"register_raises_something_else", VALUE("{raises: ACCESS_VIOLATION}"), 1,
        "t.yaml:6:20: error[NTP0203]: this step can raise GP only\n"},
    {"call_raises_an_access_violation", RETURNS("{raises: ACCESS_VIOLATION}"),
        0, ""},
    {"call_raises_gp", RETURNS("{raises: GP}"), 1,
        "t.yaml:6:20: error[NTP0203]"},
    {"nothing_raises", ALONE("{raises: GP}"), 1, "t.yaml:5:12: error[NTP0215]"},
    {"nothing_returns", ALONE("{returns: 0}"), 1,
        "t.yaml:5:12: error[NTP0215]: this step has no 'returns'\n"},
};

static struct scenario_error_row cover_rows[] = {
    {"four_requirements",
        RETURNS("{returns: 0, covers: [T-01, T-02, T-03, T-04]}"), 0, ""},
    {"five_requirements",
        RETURNS("{returns: 0, covers: [T-01, T-02, T-03, T-04, T-05]}"), 1,
        "t.yaml:6:32: error[NTP0212]: more than 4 requirements for one "
        "expectation\n"},
    {"unknown_requirement", RETURNS("{returns: 0, covers: [T-07]}"), 1,
        "t.yaml:6:33: error[NTP0212]: no requirement 'T-07'\n"},
    {"no_requirement", RETURNS("{returns: 0, covers: []}"), 1,
        "t.yaml:6:32: error[NTP0205]: an empty list\n"},
    {"requirement_that_is_no_list", RETURNS("{returns: 0, covers: T-01}"), 1,
        "t.yaml:6:32: error[NTP0205]: expected a list, [a, b]\n"},
    {"requirement_cited_by_a_state_in_a_list",
        HEAD "steps:\n- {expect: {state: [{owners: {cpu: all}, is: [], covers: "
             "[T-01]}]}}\n",
        0, ""},
    {"requirement_cited_by_one_state",
        HEAD "steps:\n- {expect: {state: {owners: {cpu: all}, is: [], covers: "
             "[T-01]}}}\n",
        0, ""},
    {"requirement_cited_by_a_branch",
        HEAD "actors: [a, b]\nsteps:\n- parallel:\n    a: [{call: "
             "KeGetCurrentIrql}]\n"
             "    b: [{call: KeGetCurrentIrql, expect: {returns: 0, covers: "
             "[T-01]}}]\n",
        0, ""},
    {"requirement_cited_by_a_callback",
        HEAD
        "callbacks:\n  ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: "
        "[{call: KeGetCurrentIrql, expect: {returns: 15, covers: "
        "[T-01]}}]}\nsteps:\n"
        "- {call: HalAllocateHardwareCounters, args: {GroupAffinty: null, "
        "GroupCount: 0, ResourceList: {Descriptors: "
        "[{Type: 3, u: {OverflowHandler: $ovf}}]}}}\n",
        0, ""},
};

static struct scenario_error_row state_rows[] = {
    {"counters_of_an_actor",
        ALONE("{state: {counters: {owner: drv, cpu: 0}, is: [0, 32]}}"), 0, ""},
    {"counters_of_nobody",
        ALONE("{state: {counters: {owner: nobody, cpu: all}, is: {len: 11}}}"),
        0, ""},
    {"counters_of_an_unknown_actor",
        ALONE("{state: {counters: {owner: drw, cpu: 0}, is: []}}"), 1,
        "t.yaml:5:38: error[NTP0203]"},
    {"counters_without_an_owner",
        ALONE("{state: {counters: {cpu: 0}, is: []}}"), 1,
        "t.yaml:5:30: error[NTP0204]: missing key 'owner'\n"},
    {"state_on_a_processor_that_is_missing",
        ALONE("{state: {owners: {cpu: 4}, is: []}}"), 1,
        "t.yaml:5:34: error[NTP0206]: 4 is not from 0 to 3\n"},
    {"state_without_a_value", ALONE("{state: {owners: {cpu: 0}}}"), 1,
        "t.yaml:5:19: error[NTP0204]: missing key 'is'\n"},
    {"two_questions_at_once",
        ALONE("{state: {owners: {cpu: 0}, irql: {cpu: 0}, is: []}}"), 1,
        "t.yaml:5:38: error[NTP0214]: 'owners' and 'irql' exclude each "
        "other\n"},
    {"question_of_a_later_version", ALONE("{state: {instances: {}, is: 0}}"), 1,
        "t.yaml:5:20: error[NTP0207]"},
    {"owners_that_are_no_list", ALONE("{state: {owners: {cpu: 0}, is: drv}}"),
        1, "t.yaml:5:42: error[NTP0205]"},
    {"owners_by_length",
        ALONE("{state: {owners: {cpu: all}, is: {len: {max: 1}}}}"), 0, ""},
    {"unknown_owner", ALONE("{state: {owners: {cpu: 0}, is: [drw]}}"), 1,
        "t.yaml:5:43: error[NTP0203]"},
    {"configured_counters",
        ALONE("{state: {configured: system, is: [{Index: 1}]}}"), 0, ""},
    {"configured_counters_of_a_processor",
        ALONE("{state: {configured: {cpu: 0}, is: []}}"), 1,
        "t.yaml:5:32: error[NTP0205]: expected 'system': there is one for all "
        "processors\n"},
    {"register_by_name",
        ALONE("{state: {msr: {cpu: 0, index: IA32_PMC0}, is: 0}}"), 0, ""},
    {"unknown_register",
        ALONE("{state: {msr: {cpu: 0, index: IA32_PMCX}, is: 0}}"), 1,
        "t.yaml:5:41: error[NTP0203]"},
    {"register_by_number",
        ALONE("{state: {msr: {cpu: 0, index: 0xC1}, is: 0}}"), 1,
        "t.yaml:5:41: error[NTP0203]"},
    {"level_of_a_processor",
        ALONE("{state: {irql: {cpu: 3}, is: PASSIVE_LEVEL}}"), 0, ""},
    {"state_that_is_a_word", ALONE("{state: idle}"), 1,
        "t.yaml:5:19: error[NTP0205]"},
    {"state_of_a_pmu_that_is_missing",
        HEAD "machine: {os: WIN10_1903, arch: arm32}\nsteps:\n- expect: "
             "{state: {owners: {cpu: "
             "0}, is: []}}\n" STEP_OK,
        1, "t.yaml:6:28: error[NTP0207]"},
};

static struct scenario_error_row stop_rows[] = {
    {"rules_that_are_broken",
        ALONE("{violations: [{rule: khc.set.type, api: KfRaiseIrql, irql: 0, "
              "cpu: 1}]}"),
        0, ""},
    {"rules_that_are_a_word", ALONE("{violations: none}"), 1,
        "t.yaml:5:24: error[NTP0205]"},
    {"unknown_rule", ALONE("{violations: [{rule: khc.set.typ}]}"), 1,
        "t.yaml:5:32: error[NTP0203]: unknown rule 'khc.set.typ'\n"},
    {"rule_without_its_id", ALONE("{violations: [{cpu: 0}]}"), 1,
        "t.yaml:5:25: error[NTP0204]: missing key 'rule'\n"},
    {"rule_of_an_unknown_routine",
        ALONE("{violations: [{rule: khc.set.type, api: KeSet}]}"), 1,
        "t.yaml:5:51: error[NTP0203]: unknown routine 'KeSet'\n"},
    {"bug_check_with_parameters",
        ALONE("{bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL, p1: KfRaiseIrql, p2: "
              "DISPATCH_LEVEL, "
              "p3: STATUS_SUCCESS, p4: 0x1}}"),
        0, ""},
    {"bug_check_with_a_matcher",
        ALONE("{bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL, p1: {min: 1}}}"), 0,
        ""},
    {"bug_check_with_a_list",
        ALONE("{bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL, p1: [1]}}"), 1,
        "t.yaml:5:57: error[NTP0205]"},
    {"unknown_bug_check", ALONE("{bugcheck: {code: IRQL_NOT_LESS}}"), 1,
        "t.yaml:5:29: error[NTP0203]: unknown bug check 'IRQL_NOT_LESS'\n"},
    {"bug_check_by_number", ALONE("{bugcheck: {code: 0x0A}}"), 1,
        "t.yaml:5:29: error[NTP0205]"},
    {"bug_check_of_which_there_is_none", ALONE("{bugcheck: {code: NONE}}"), 1,
        "t.yaml:5:29: error[NTP0203]"},
    {"bug_check_beyond_all_numbers", ALONE("{bugcheck: {code: 0xFFFFFFFF}}"), 1,
        "t.yaml:5:29: error[NTP0206]"},
    {"bug_check_without_a_code", ALONE("{bugcheck: {p1: 0}}"), 1,
        "t.yaml:5:22: error[NTP0204]: missing key 'code'\n"},
    {"handler_that_is_unknown", ALONE("{handler: {name: ovf, runs: 1}}"), 1,
        "t.yaml:5:28: error[NTP0203]"},
    {"handler_without_runs", ALONE("{handler: {name: ovf}}"), 2,
        "t.yaml:5:21: error[NTP0204]: missing key 'runs'\n"},
    {"handler_that_is_unknown_with_arguments",
        ALONE("{handler: {name: ovf, runs: 1, args: {Bits: 1}}}"), 1,
        "t.yaml:5:28: error[NTP0203]"},
};

static struct scenario_error_row pattern_rows[] = {
    {"field_that_only_the_first_kind_of_event_has",
        VALUE("{events: {never: [{event: rdmsr, valeu: 1}]}}"), 1,
        "t.yaml:6:44: error[NTP0202]: the event 'rdmsr' has no field 'valeu'\n"
        "    6 |   expect: {events: {never: [{event: rdmsr, valeu: 1}]}}\n"
        "      |                                            ^~~~~ did you mean "
        "'value'?\n"},
    {"misspelt_cycle",
        VALUE("{events: {at: {event: rdmsr, cycle: 1, cycel: 2}}}"), 1,
        "t.yaml:6:50: error[NTP0202]: the event 'rdmsr' has no field 'cycel'\n"
        "    6 |   expect: {events: {at: {event: rdmsr, cycle: 1, cycel: 2}}}\n"
        "      |                                                  ^~~~~ did "
        "you "
        "mean 'cycle'?\n"},
};

TEST_FILE(test_checks)
{
    TEST_ADD_ROWS(list, scenario_error_row, result_rows);
    TEST_ADD_ROWS(list, scenario_error_row, cover_rows);
    TEST_ADD_ROWS(list, scenario_error_row, state_rows);
    TEST_ADD_ROWS(list, scenario_error_row, stop_rows);
    TEST_ADD_ROWS(list, scenario_error_row, pattern_rows);
}
