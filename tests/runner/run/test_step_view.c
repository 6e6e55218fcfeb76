/* test_step_view.c - what is shown of steps: nothing unless somebody watches,
 * as much as there was before a process ended, and nothing but text. */
#define _GNU_SOURCE
#include "scenarios/runner/run/step_view.h"

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/run_result.h"

#define TEXT                                                                   \
    HEAD "steps:\n"                                                            \
         "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: [T-01]}}\n"  \
         "- {call: KfRaiseIrql, args: {NewIrql: DISPATCH_LEVEL}}\n"

#define FIRST                                                                  \
    "---- t\n"                                                                 \
    "1 KeGetCurrentIrql() = PASSIVE_LEVEL\n"                                   \
    "    cpu 0: time 200 -> 205\n"                                             \
    "    | 200 cpu0 call KeGetCurrentIrql()\n"                                 \
    "    | 205 cpu0 return api=KeGetCurrentIrql returns=PASSIVE_LEVEL\n"

#define SECOND                                                                 \
    "2 KfRaiseIrql(NewIrql=DISPATCH_LEVEL) = PASSIVE_LEVEL\n"                  \
    "    cpu 0: irql PASSIVE_LEVEL -> DISPATCH_LEVEL\n"                        \
    "    cpu 0: IA32_X2APIC_TPR 0x0 -> 0x20\n"                                 \
    "    cpu 0: time 205 -> 225\n"                                             \
    "    | 205 cpu0 call KfRaiseIrql(NewIrql=DISPATCH_LEVEL)\n"                \
    "    | 225 cpu0 irql from=0 to=2\n"                                        \
    "    | 225 cpu0 return api=KfRaiseIrql returns=PASSIVE_LEVEL\n"

/* The scenario, and what is shown of it. */
struct watched {
    struct scenario_run made;
    char *text;
    size_t size;
    FILE *out;
};

static void watched_init(struct watched *watched)
{
    scenario_run_init(&watched->made, TEXT);
    watched->out = open_memstream(&watched->text, &watched->size);
    assert_non_null(watched->out);
    watched->made.session.step_view =
        step_view_new(watched->made.text.file.memory, watched->out);
}

static void watched_expect(struct watched *watched, const char *want)
{
    fflush(watched->out);
    assert_string_equal(watched->text, want);
}

static void watched_release(struct watched *watched)
{
    fclose(watched->out);
    free(watched->text);
    scenario_run_release(&watched->made);
}

static void steps_are_shown_one_after_another(void **state)
{
    struct watched watched;

    (void)state;
    watched_init(&watched);
    assert_int_equal(scenario_run_nth(&watched.made, 0)->result, RESULT_PASS);
    watched_expect(&watched, FIRST SECOND);
    watched_release(&watched);
}

static void every_run_begins_anew(void **state)
{
    struct watched watched;

    (void)state;
    watched_init(&watched);
    scenario_run_nth(&watched.made, 0);
    scenario_run_nth(&watched.made, 0);
    watched_expect(&watched, FIRST SECOND FIRST SECOND);
    watched_release(&watched);
}

static struct verdict *ends_behind_its_steps(
    void *context, struct session *session, const struct instance *instance)
{
    struct verdict *verdict = run_instance(context, session, instance);

    abort();
    return verdict;
}

static void a_child_shows_the_same(void **state)
{
    const struct child_limits limits = child_limits_of(10000000);
    struct watched watched;

    (void)state;
    watched_init(&watched);
    assert_int_equal(
        run_child(&watched.made, &limits, NULL).verdict->result, RESULT_PASS);
    watched_expect(&watched, FIRST SECOND);
    watched_release(&watched);
}

static void a_child_that_dies_has_shown_its_steps(void **state)
{
    const struct child_limits limits = child_limits_of(10000000);
    struct watched watched;

    (void)state;
    watched_init(&watched);
    assert_int_equal(run_child(&watched.made, &limits, ends_behind_its_steps)
                         .verdict->result,
        RESULT_INTERNAL);
    watched_expect(&watched, FIRST SECOND);
    watched_release(&watched);
}

static void what_is_no_text_is_not_passed_on(void **state)
{
    struct watched watched;

    (void)state;
    watched_init(&watched);
    step_view_forward(
        watched.made.session.step_view, "one\n\x1B[2J\ttwo\xFF\r", 14);
    watched_expect(&watched, "one\n?[2J?two??");
    watched_release(&watched);
}

TEST_FILE(test_step_view)
{
    test_add(list, "steps_are_shown_one_after_another",
        steps_are_shown_one_after_another, NULL);
    test_add(list, "every_run_begins_anew", every_run_begins_anew, NULL);
    test_add(list, "a_child_shows_the_same", a_child_shows_the_same, NULL);
    test_add(list, "a_child_that_dies_has_shown_its_steps",
        a_child_that_dies_has_shown_its_steps, NULL);
    test_add(list, "what_is_no_text_is_not_passed_on",
        what_is_no_text_is_not_passed_on, NULL);
}
