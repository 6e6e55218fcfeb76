/* test_event.c - patterns against records, and the lists of events as one
 * (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/event.h"

#include "api/core/trace_events.h"
#include "sim/base/trace.h"
#include "tests/runner/language/values_scope.h"

/* A record on processor 1, at cycle 500. */
static struct pattern_row {
    const char *name;
    const char *pattern;
    const struct trace_kind *kind;
    uint64_t number[TRACE_VALUES];
    const char *text[TRACE_VALUES]; /* instead of the number; NULL: none */
    const char *want;               /* keys that are not met; NULL: all are */
} pattern_rows[] = {
    {"event_alone", "{event: overflow}", &sim_events[SIM_EVENT_OVERFLOW], {7},
        {NULL}, NULL},
    {"equal_number", "{event: overflow, counter: 7}",
        &sim_events[SIM_EVENT_OVERFLOW], {7}, {NULL}, NULL},
    {"other_number", "{event: overflow, counter: 7}",
        &sim_events[SIM_EVENT_OVERFLOW], {8}, {NULL}, "counter"},
    {"number_of_64_bits", "{event: wrmsr, value: 0xFFFFFFFFFFFFFFFF}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 0xFFFFFFFFFFFFFFFF}, {NULL}, NULL},
    {"variable", "{event: wrmsr, value: $wide}", &sim_events[SIM_EVENT_WRMSR],
        {0xC1, 10000000000}, {NULL}, NULL},
    {"other_than_the_variable", "{event: wrmsr, value: $wide}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 10000000001}, {NULL}, "value"},
    {"bits", "{event: handler_enter, bits: {bits: {set: 0x2, clear: 0x1}}}",
        &api_events[API_EVENT_HANDLER_ENTER], {1, 0x6}, {NULL}, NULL},
    {"bits_that_differ", "{event: handler_enter, bits: {bits: {set: 0x1}}}",
        &api_events[API_EVENT_HANDLER_ENTER], {1, 0x6}, {NULL}, "bits"},
    {"set_by_its_number", "{event: handler_enter, set: 1}",
        &api_events[API_EVENT_HANDLER_ENTER], {1, 0x6}, {NULL}, NULL},
    {"processor", "{event: overflow, cpu: 1}", &sim_events[SIM_EVENT_OVERFLOW],
        {7}, {NULL}, NULL},
    {"other_processor", "{event: overflow, cpu: {not: 1}}",
        &sim_events[SIM_EVENT_OVERFLOW], {7}, {NULL}, "cpu"},
    {"register_by_name", "{event: wrmsr, index: IA32_PMC0}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, NULL},
    {"register_by_address", "{event: wrmsr, index: 0xC1}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, NULL},
    {"register_by_variable", "{event: wrmsr, index: $count}",
        &sim_events[SIM_EVENT_WRMSR], {3, 1}, {NULL}, NULL},
    {"other_register", "{event: wrmsr, index: IA32_PMC1}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, "index"},
    {"one_of_registers", "{event: wrmsr, index: {one_of: [IA32_PMC1, 0xC1]}}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, NULL},
    {"none_of_registers",
        "{event: wrmsr, index: {one_of: [IA32_PMC1, IA32_PMC2]}}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, "index"},
    {"not_that_register", "{event: wrmsr, index: {not: IA32_PMC0}}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, "index"},
    {"level_by_name", "{event: irql, to: PROFILE_LEVEL}",
        &api_events[API_EVENT_IRQL], {0, 15}, {NULL}, NULL},
    {"level_in_a_range", "{event: irql, to: {min: DISPATCH_LEVEL}}",
        &api_events[API_EVENT_IRQL], {0, 1}, {NULL}, "to"},
    {"status_by_name", "{event: return, status: STATUS_SUCCESS}",
        &api_events[API_EVENT_RETURN_STATUS], {0},
        {"HalFreeHardwareCounters", "STATUS_SUCCESS"}, NULL},
    {"other_status", "{event: return, status: STATUS_SUCCESS}",
        &api_events[API_EVENT_RETURN_STATUS], {0},
        {"HalFreeHardwareCounters", "STATUS_NOT_SUPPORTED"}, "status"},
    {"status_by_variable", "{event: return, status: $st}",
        &api_events[API_EVENT_RETURN_STATUS], {0},
        {"HalFreeHardwareCounters", "STATUS_INVALID_PARAMETER"}, NULL},
    {"status_without_a_name", "{event: return, status: 0xC0FFEE00}",
        &api_events[API_EVENT_RETURN_STATUS], {0},
        {"HalFreeHardwareCounters", "0xc0ffee00"}, NULL},
    {"routine_of_a_call", "{event: call, api: KeLowerIrql}",
        &api_events[API_EVENT_CALL], {0}, {"KeLowerIrql", "(NewIrql=0)"}, NULL},
    {"routine_of_another_call", "{event: call, api: KeLowerIrql}",
        &api_events[API_EVENT_CALL], {0}, {"KfRaiseIrql", "(NewIrql=0)"},
        "api"},
    {"no_routine", "{event: violation, api: none}",
        &api_events[API_EVENT_VIOLATION], {0, 0, 2},
        {"hal.handler.budget", "none"}, NULL},
    {"rule_and_level",
        "{event: violation, rule: hal.alloc.flags, irql: APC_LEVEL}",
        &api_events[API_EVENT_VIOLATION], {0, 0, 2},
        {"hal.handler.budget", "none"}, "rule, irql"},
    {"text", "{event: print, text: hello}", &api_events[API_EVENT_PRINT], {0},
        {"hello"}, NULL},
    {"text_in_quotes", "{event: print, text: \"$h\"}",
        &api_events[API_EVENT_PRINT], {0}, {"$h"}, NULL},
    {"text_that_only_begins_so", "{event: print, text: hell}",
        &api_events[API_EVENT_PRINT], {0}, {"hello"}, "text"},
    {"word", "{event: wrmsr, fault: \"#GP\"}", &sim_events[SIM_EVENT_WRMSR_GP],
        {0xC1, 1}, {NULL}, NULL},
    {"word_that_the_kind_lacks", "{event: wrmsr, fault: \"#GP\"}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, "fault"},
    {"field_that_the_kind_lacks", "{event: rdmsr, value: {not: 1}}",
        &sim_events[SIM_EVENT_RDMSR_GP], {0xC1}, {NULL}, "value"},
    {"several_that_differ", "{event: wrmsr, cpu: 0, index: 0xC2, value: 1}",
        &sim_events[SIM_EVENT_WRMSR], {0xC1, 1}, {NULL}, "cpu, index"},
};

static void pattern_row(void **state)
{
    const struct pattern_row *row = *state;
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    struct trace trace = {0};
    uint64_t value[TRACE_VALUES];
    const struct node *pattern;
    char *names;

    scope_init(&made, row->pattern);
    scope_run(&made);
    match.context = made.file.memory;
    pattern = text_file_tree(&made.file);
    for (unsigned i = 0; i < TRACE_VALUES; i++) {
        value[i] = row->text[i] == NULL ? row->number[i]
                                        : trace_text(&trace, row->text[i]);
    }
    trace_add(&trace, 500, 1, row->kind, value);

    event_differences(&match, pattern, &trace, 0, &names);
    assert_string_equal(names, row->want == NULL ? "" : row->want);
    assert_int_equal(
        event_matches(&match, pattern, &trace, 0), row->want == NULL);
    assert_true(event_is(pattern, &trace, 0));
    assert_null(made.scope.failure);
    trace_release(&trace);
    scope_release(&made);
}

static void another_event_does_not_match(void **state)
{
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    struct trace trace = {0};
    const uint64_t value[TRACE_VALUES] = {0xC1, 1};

    (void)state;
    scope_init(&made, "{event: rdmsr, index: 0xC1}");
    scope_run(&made);
    match.context = made.file.memory;
    trace_add(&trace, 0, 0, &sim_events[SIM_EVENT_WRMSR], value);
    assert_false(event_matches(&match, text_file_tree(&made.file), &trace, 0));
    trace_release(&trace);
    scope_release(&made);
}

static struct promised_row {
    const char *name;
    const char *event;
    const char *field;
} promised_rows[] = {
    {"call_has_api", "call", "api"},
    {"return_has_status", "return", "status"},
    {"return_has_returns", "return", "returns"},
    {"rdmsr_has_index", "rdmsr", "index"},
    {"wrmsr_has_value", "wrmsr", "value"},
    {"irql_has_to", "irql", "to"},
    {"overflow_has_counter", "overflow", "counter"},
    {"pmi_raised_has_vector", "pmi_raised", "vector"},
    {"pmi_taken_has_vector", "pmi_taken", "vector"},
    {"handler_enter_has_bits", "handler_enter", "bits"},
    {"handler_leave_has_set", "handler_leave", "set"},
    {"switch_has_from", "switch", "from"},
    {"print_has_text", "print", "text"},
    {"violation_has_rule", "violation", "rule"},
    {"bugcheck_has_code", "bugcheck", "code"},
};

static void promised_row(void **state)
{
    const struct promised_row *row = *state;
    struct trace_field field;
    bool found = false;

    for (size_t i = 0; name_of_event(i, NULL) != NULL; i++) {
        found |= strcmp(name_of_event(i, NULL), row->event) == 0;
    }
    assert_true(found);
    assert_true(event_field(row->event, row->field, &field));
    assert_false(event_field(row->event, "nothing", &field));
}

static void every_event_is_named_once(void **state)
{
    (void)state;
    for (size_t i = 0; name_of_event(i, NULL) != NULL; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(
                name_of_event(i, NULL), name_of_event(k, NULL));
        }
    }
}

static void kinds_of_one_event_agree_in_a_field(void **state)
{
    const struct trace_kind *kind;

    (void)state;
    for (size_t i = 0; (kind = event_kind(i)) != NULL; i++) {
        struct trace_field field, first;

        for (unsigned k = 0; trace_field(kind, k, &field); k++) {
            char name[40];

            snprintf(
                name, sizeof(name), "%.*s", (int)field.name_length, field.name);
            assert_true(event_field(kind->name, name, &first));
            assert_int_equal(first.meaning, field.meaning);
            assert_int_equal(first.conversion, field.conversion);
        }
    }
}

TEST_FILE(test_event)
{
    TEST_ADD_ROWS(list, pattern_row, pattern_rows);
    TEST_ADD_ROWS(list, promised_row, promised_rows);
    test_add(list, "another_event_does_not_match", another_event_does_not_match,
        NULL);
    test_add(
        list, "every_event_is_named_once", every_event_is_named_once, NULL);
    test_add(list, "kinds_of_one_event_agree_in_a_field",
        kinds_of_one_event_agree_in_a_field, NULL);
}
