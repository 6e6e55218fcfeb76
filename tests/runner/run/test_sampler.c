/* test_sampler.c - when a consumer samples a scenario, what it sees, and that
 * the scenario's verdict is what it was. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <talloc.h>

#include "api/core/rules.h"
#include "scenarios/runner/run/samples.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/scenario_run.h"

/* A machine of 1000 MHz: a cycle is a nanosecond. */
#define BARE(cpus)                                                             \
    "ntpmu: 1\nid: t\ntitle: T\nmachine: {cpus: " cpus ", pmu: {mhz: 1000}}\n"
#define ON(cpus)                                                               \
    BARE(cpus) "memory: {block: {bytes: 8, values: [{ULONG64: 5}]}}\n"
#define REGISTER                                                               \
    "- {call: PcwRegister, args: {Info: {Version: PCW_VERSION_1, Name: Set, "  \
    "Counters: [{Id: 3, Size: 8}]}}, save: {reg: out.Registration}}\n"
#define CREATE_KEPT(name, save)                                                \
    "- {call: PcwCreateInstance, args: {Registration: $reg, Name: " name       \
    ", Count: 1, Data: [{Data: $block, Size: 8}]}" save "}\n"
#define CREATE CREATE_KEPT("one", "")
#define CREATE_FIRST CREATE_KEPT("one", ", save: {first: out.Instance}")
#define CREATE_SECOND CREATE_KEPT("two", ", save: {second: out.Instance}")
#define STORE(value) "- {store: {to: $block, values: [{ULONG64: " value "}]}}\n"
#define WAIT(us) "- {advance: {cycles: " us "000}}\n"
#define CLOSE "- {call: PcwCloseInstance, args: {Instance: $first}}\n"
#define CLOSE_SECOND "- {call: PcwCloseInstance, args: {Instance: $second}}\n"
#define UNREGISTER "- {call: PcwUnregister, args: {Registration: $reg}}\n"
#define REGISTRATION_HELD ENDS_WITH("{kind: pcw_registration}")
#define HELD ENDS_WITH("{kind: pcw_registration}, {kind: pcw_instance}")
#define UNHELD(what)                                                           \
    "- {wrmsr: {cpu: 1, index: " what "}, expect: {violations: "               \
    "[{rule: hal.counter.unheld}], covers: [T-01]}}\n"
#define ASK "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: [T-01]}}\n"

/* A sample as text: "1000: one=5 two=5", whole microseconds. */
static char *show(void *context, const struct samples *samples)
{
    char *text = talloc_strdup(context, "");

    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->item[i];

        text = talloc_asprintf_append(text, "%s%llu:", i == 0 ? "" : "; ",
            (unsigned long long)sample->set[0].rows->cycles / 1000);
        for (size_t k = 0; k < sample->set_count; k++) {
            const struct rows *rows = sample->set[k].rows;

            for (size_t n = 0; n < rows->count; n++) {
                text =
                    talloc_asprintf_append(text, " %s=%llu", rows->item[n].name,
                        (unsigned long long)rows->item[n].value[0].value);
            }
        }
    }
    return text;
}

static struct sampler_row {
    const char *name, *text;
    uint64_t every_us, most;
    const char *set; /* NULL: all */
    const char *want;
} sampler_rows[] = {
    {"every_millisecond_and_at_the_end",
        ON("2") "steps:\n" REGISTER CREATE ASK WAIT("1500") STORE("6")
            WAIT("1000") HELD,
        1000, 0, NULL, "1000: one=5; 2000: one=6; 2503: one=6"},
    {"smaller_steps", ON("2") "steps:\n" REGISTER CREATE ASK WAIT("350") HELD,
        100, 0, NULL, "100: one=5; 200: one=5; 300: one=5; 353: one=5"},
    {"short_scenario_is_seen_before_it_takes_all_away",
        ON("2") "steps:\n" REGISTER CREATE_FIRST ASK CLOSE UNREGISTER, 1000, 0,
        NULL, "4: one=5"},
    {"last_values_are_seen_before_the_first_thing_goes",
        ON("2") "steps:\n" REGISTER CREATE_FIRST CREATE_SECOND ASK WAIT("1200")
            STORE("9") CLOSE CLOSE_SECOND UNREGISTER,
        1000, 0, NULL, "1000: one=5 two=5; 1205: one=9 two=9"},
    {"each_instance_is_seen_once_at_least",
        ON("2") "steps:\n" REGISTER CREATE_FIRST ASK CLOSE CREATE_SECOND
            CLOSE_SECOND UNREGISTER,
        1000, 0, NULL, "4: one=5; 7: two=5"},
    {"no_more_than_asked_for",
        ON("2") "steps:\n" REGISTER CREATE_FIRST ASK WAIT("1000")
            CLOSE UNREGISTER,
        100, 3, NULL, "100: one=5; 200: one=5; 300: one=5"},
    {"samples_without_an_instance_do_not_count",
        ON("2") "steps:\n" REGISTER ASK WAIT("1000") CREATE WAIT("1000") HELD,
        300, 2, NULL, "1200: one=5; 1500: one=5"},
    {"set_that_is_wanted", ON("2") "steps:\n" REGISTER CREATE ASK HELD, 1000, 0,
        "sET", "3: one=5"},
    {"set_that_is_not", ON("2") "steps:\n" REGISTER CREATE ASK HELD, 1000, 0,
        "Sets", ""},
    {"one_processor_that_is_busy_is_waited_for",
        ON("1") "steps:\n" REGISTER CREATE ASK
                "- {run: {cycles: 2500000}}\n" WAIT("1000") HELD,
        1000, 0, NULL, "2503: one=5; 3504: one=5"},
    {"another_goes_on_meanwhile",
        ON("2") "steps:\n" REGISTER CREATE ASK
                "- {run: {cycles: 2500000}}\n" HELD,
        1000, 0, NULL, "1000: one=5; 2000: one=5; 2503: one=5"},
    {"no_processor_is_free_for_it",
        ON("1") "steps:\n" REGISTER CREATE_FIRST ASK
                "- {call: KfRaiseIrql, args: {NewIrql: 2}}\n" WAIT(
                    "1500") "- {call: KeLowerIrql, args: {NewIrql: 0}}\n" CLOSE
                    REGISTRATION_HELD,
        1000, 0, NULL, "1504: one=5"},
};

static char *sample(struct scenario_run *made, const struct sampler_row *row)
{
    const struct sampling sampling = {
        .every_us = row->every_us,
        .most = row->most,
        .set = &row->set,
        .set_count = row->set != NULL,
    };
    const struct verdict *verdict;

    made->session.sampling = &sampling;
    verdict = scenario_run_nth(made, 0);
    made->session.sampling = NULL;
    if (verdict->failure_count > 0) {
        assert_string_equal(verdict->failure[0].message, "");
    }
    assert_int_equal(verdict->result, RESULT_PASS);
    assert_non_null(verdict->samples);
    assert_int_equal(verdict->samples->note_count, 0);
    return show(made->text.file.memory, verdict->samples);
}

static void sampler_row(void **state)
{
    const struct sampler_row *row = *state;
    struct scenario_run made;

    scenario_run_init(&made, row->text);
    assert_string_equal(sample(&made, row), row->want);
    assert_string_equal(sample(&made, row), row->want);
    assert_null(scenario_run_nth(&made, 0)->samples);
    scenario_run_release(&made);
}

/* What a callback does when it is asked for its instances. */
#define CALLED_ON(head, steps, save)                                           \
    head                                                                       \
        "callbacks: {told: {type: PPCW_CALLBACK, do: [" steps                  \
        "], returns: STATUS_SUCCESS}}\n"                                       \
        "steps:\n- {call: PcwRegister, args: {Info: {Version: PCW_VERSION_1, " \
        "Name: Set, Counters: [{Id: 3, Size: 8}], Callback: $told, "           \
        "CallbackContext: 0}}" save "}\n" ASK

#define CALLED(steps) CALLED_ON(ON("2"), steps, "")
#define STOPPED                                                                \
    CALLED_ON(BARE("2"),                                                       \
        "{when: $(Type == PcwCallbackCollectData), call: PcwCloseInstance, "   \
        "args: {Instance: null}}",                                             \
        "")

#define ADD_WHEN(when, id)                                                     \
    "{when: $(" when "), call: PcwAddInstance, args: "                         \
    "{Buffer: $Info.CollectData.Buffer, Name: far, Id: " id                    \
    ", Count: 1, Data: [{Data: $block, Size: 8}]}}"
#define ADD(id)                                                                \
    ADD_WHEN("Type == PcwCallbackCollectData or "                              \
             "Type == PcwCallbackEnumerateInstances",                          \
        id)

static struct verdict_row {
    const char *name, *text;
    enum result want;
    const char *want_message; /* of the first failure; NULL: none */
    const char *want_samples, *want_note;
} verdict_rows[] = {
    {"callback_is_a_provider", CALLED(ADD("1")) WAIT("1500") REGISTRATION_HELD,
        RESULT_PASS, NULL, "1000: far=5; 1502: far=5", NULL},
    {"rule_that_sampling_breaks_is_told_of_and_is_no_steps",
        CALLED(ADD("0xFFFFFFFE")) WAIT("1500") REGISTRATION_HELD, RESULT_PASS,
        NULL, "1000: far=5; 1502: far=5",
        "broken rule pcw.instance.reserved_id while it was sampled"},
    {"instance_that_is_collected_and_not_listed",
        CALLED(ADD_WHEN("Type == PcwCallbackCollectData", "1")) WAIT("1500")
            REGISTRATION_HELD,
        RESULT_FAIL,
        "broken rule pcw.instance.disagrees: what a callback lists and what it "
        "collects disagree about an instance: 'Set': 'far', id 1, is collected "
        "and not listed (PCW-ADD-02a PCW-ADD-03a PCW-ADD-04a PCW-CB-04)",
        "1000: far=5; 1502: far=5",
        "broken rule pcw.instance.disagrees while it was sampled"},
    {"machine_that_stops_in_the_callback", STOPPED WAIT("1500"), RESULT_FAIL,
        "", "", NULL},
    {"machine_that_stops_at_the_end", STOPPED, RESULT_FAIL, "", "", NULL},
    {"instances_of_a_callback_before_it_goes",
        CALLED_ON(ON("2"), ADD("1"), ", save: {reg: out.Registration}")
            UNREGISTER,
        RESULT_PASS, NULL, "3: far=5", NULL},
};

static void verdict_row(void **state)
{
    const struct verdict_row *row = *state;
    const struct sampling sampling = {.every_us = 1000};
    struct scenario_run made;
    const struct verdict *verdict;

    scenario_run_init(&made, row->text);
    made.session.sampling = &sampling;
    verdict = scenario_run_nth(&made, 0);
    if (row->want_message == NULL && verdict->failure_count > 0) {
        assert_string_equal(verdict->failure[0].message, "");
    }
    if (row->want_message != NULL && row->want_message[0] != '\0') {
        assert_string_equal(verdict->failure[0].message, row->want_message);
    }
    assert_int_equal(verdict->result, row->want);
    assert_string_equal(
        show(made.text.file.memory, verdict->samples), row->want_samples);
    if (row->want_note != NULL) {
        assert_true(verdict->samples->note_count > 0);
        assert_ptr_equal(strstr(verdict->samples->note[0].text, row->want_note),
            verdict->samples->note[0].text);
    } else {
        assert_int_equal(verdict->samples->note_count, 0);
    }
    scenario_run_release(&made);
}

/* 100 samples, of a budget that the scenario alone needs most of. */
static void points_of_the_sampler_are_not_the_scenarios(void **state)
{
    const struct sampling sampling = {.every_us = 10};
    struct scenario_run made;
    const struct verdict *verdict;

    (void)state;
    scenario_run_init(
        &made, ON("2") "steps:\n" REGISTER CREATE ASK WAIT("1000") HELD);
    made.session.budget = 40;
    assert_int_equal(scenario_run_nth(&made, 0)->result, RESULT_PASS);
    made.session.sampling = &sampling;
    verdict = scenario_run_nth(&made, 0);
    assert_int_equal(verdict->result, RESULT_PASS);
    assert_int_equal(verdict->samples->count, 101);
    scenario_run_release(&made);
}

/* Overflows and broken rules, where they are wanted, with their processors. */
static void marks_are_what_happened(void **state)
{
    struct sampling sampling = {.every_us = 1000, .marks = true};
    struct scenario_run made;
    const struct samples *samples;

    (void)state;
    scenario_run_init(&made,
        ON("2") "steps:\n" REGISTER CREATE ASK UNHELD(
            "IA32_PERFEVTSEL2, value: 0x4300C0")
            UNHELD("IA32_PMC2, value: 0xFFFFFF9C") "- {run: {cpu: 1, cycles: "
                                                   "200000}}\n" HELD);
    made.session.machine.trace.off = true;
    made.session.sampling = &sampling;
    samples = scenario_run_nth(&made, 0)->samples;
    assert_int_equal(samples->mark_count, 3);
    assert_false(samples->mark[0].is_rule);
    assert_int_equal(samples->mark[0].what, 2);
    assert_int_equal(samples->mark[0].processor, 1);
    assert_true(samples->mark[1].is_rule);
    assert_int_equal(samples->mark[1].what, RULE_HAL_COUNTER_UNHELD);
    assert_int_equal(samples->mark[1].processor, 1);
    assert_true(samples->mark[1].cycles < samples->mark[0].cycles);
    sampling.marks = false;
    assert_int_equal(scenario_run_nth(&made, 0)->samples->mark_count, 0);
    assert_true(made.session.machine.trace.off);
    scenario_run_release(&made);
}

static void marks_have_a_limit(void **state)
{
    static const struct sample_mark mark = {.cycles = 1};
    struct samples *samples = samples_new(NULL);

    (void)state;
    for (size_t i = 0; i < SAMPLES_MARKS + 2; i++) {
        samples_add_mark(samples, &mark);
    }
    assert_int_equal(samples->mark_count, SAMPLES_MARKS);
    assert_int_equal(samples->note_count, 1);
    assert_string_equal(samples->note[0].text,
        "more than 65536 overflows and broken rules: those behind are not in "
        "the chart");
    talloc_free(samples);
}

TEST_FILE(test_sampler)
{
    test_add(list, "marks_are_what_happened", marks_are_what_happened, NULL);
    test_add(list, "marks_have_a_limit", marks_have_a_limit, NULL);
    TEST_ADD_ROWS(list, sampler_row, sampler_rows);
    TEST_ADD_ROWS(list, verdict_row, verdict_rows);
    test_add(list, "points_of_the_sampler_are_not_the_scenarios",
        points_of_the_sampler_are_not_the_scenarios, NULL);
}
