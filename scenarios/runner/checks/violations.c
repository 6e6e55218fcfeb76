/* violations.c - expect violations: the rules that were broken during the step,
 * exactly and in order. */
#include <string.h>
#include <talloc.h>

#include "api/core/place.h"
#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void check_name(struct reader *reader, const struct node *node,
    const char *what, schema_nth *nth)
{
    size_t index;

    if (node != NULL) {
        schema_name(&reader->scope.schema, node, what, nth, NULL, &index);
    }
}

static void check_violation(struct reader *reader, const struct node *node)
{
    const char *text;

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_VIOLATION, node)) {
        return;
    }
    check_name(reader, node_get(node, "rule"), "rule", name_of_rule);
    check_name(reader, node_get(node, "api"), "routine", name_of_routine);
    match_check_number(&reader->scope, reader->scenario, node_get(node, "irql"),
        NT_KIRQL, UINT8_MAX);
    match_check_number(&reader->scope, reader->scenario, node_get(node, "cpu"),
        NT_ULONG, reader->scenario->machine.processors - 1);
    if (node_get(node, "function") != NULL) {
        schema_text(&reader->scope.schema, node_get(node, "function"), &text);
        if (!reader->scenario->native) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT,
                node_key(node, "function"),
                "only a driver with an image has functions");
        }
    }
}

static void read_violations(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    (void)step;
    (void)key;
    if (value->kind != NODE_SEQUENCE) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, value,
            "expected a list of broken rules, [{rule: id}], or []");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        check_violation(reader, value->item[i]);
    }
}

/* The function of a driver that broke it; NULL: none, or an unknown one. */
static const char *function_of(
    const struct run *run, const struct rule_event *event)
{
    struct facts *facts = run->scope.facts;

    return facts_text_or_none(
        facts, facts_heard(facts)
                   ? NULL
                   : place_function(&run->session->kernel, event->place));
}

/* The event as text, in the words of the expectation. */
static char *show_event(struct run *run, const struct rule_event *event)
{
    const char *function = function_of(run, event);

    return talloc_asprintf(run->context,
        "{rule: %s, api: %s, irql: %u, cpu: %u%s%s}", rule_rows[event->rule].id,
        event->routine == ROUTINE_COUNT ? "none"
                                        : routine_rows[event->routine].name,
        (unsigned)event->irql, (unsigned)event->processor,
        function == NULL ? "" : ", function: ",
        function == NULL ? "" : function);
}

static void evaluate_event(const struct evaluation *evaluation,
    const struct node *node, const struct rule_event *event)
{
    const struct node *api = node_get(node, "api");
    const struct node *irql = node_get(node, "irql");
    const struct node *cpu = node_get(node, "cpu");
    const struct node *function = node_get(node, "function");
    const char *in = function_of(evaluation->run, event);
    const char *routine = event->routine == ROUTINE_COUNT
                              ? "none"
                              : routine_rows[event->routine].name;

    if (!node_is_word(node_get(node, "rule"), rule_rows[event->rule].id) ||
        (api != NULL && !node_is_word(api, routine)) ||
        (function != NULL && (in == NULL || strcmp(in, function->text) != 0))) {
        evaluate_fail(evaluation, node, "violations: expected %s, actual %s",
            node_show(evaluation->run->context, node),
            show_event(evaluation->run, event));
        return;
    }
    if (irql != NULL) {
        evaluate_number(
            evaluation, irql, NT_KIRQL, event->irql, "violation's irql");
    }
    if (cpu != NULL) {
        evaluate_number(
            evaluation, cpu, NT_ULONG, event->processor, "violation's cpu");
    }
}

/* Where calls are made to fail, these may be broken however often, or not. */
static void excuse_named(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    const struct outcome *outcome = evaluation->outcome;
    const struct node *value = evaluation->check->value;
    const struct rule_log *log = &run->session->kernel.rules;

    for (size_t i = outcome->first_rule; i < outcome->last_rule; i++) {
        for (size_t k = 0; k < value->count; k++) {
            run->rule_expected[i] |=
                node_is_word(node_get(value->item[k], "rule"),
                    rule_rows[log->event[i].rule].id);
        }
    }
}

/* Exactly these, in this order. */
static void evaluate_violations(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    const struct outcome *outcome = evaluation->outcome;
    const struct node *value = evaluation->check->value;
    const struct rule_log *log = &run->session->kernel.rules;
    size_t count = 0;

    evaluate_cites(evaluation);
    if (run->session->forgives) {
        excuse_named(evaluation);
        return;
    }
    for (size_t i = outcome->first_rule; i < outcome->last_rule; i++) {
        if (run->rule_expected[i]) {
            continue; /* by a step inside of this one */
        }
        run->rule_expected[i] = true;
        if (count < value->count) {
            evaluate_event(evaluation, value->item[count], &log->event[i]);
        } else {
            evaluate_fail(evaluation, value, "violations: unexpected %s",
                show_event(run, &log->event[i]));
        }
        count++;
    }
    for (; count < value->count; count++) {
        evaluate_fail(evaluation, value->item[count],
            "violations: expected %s, but the rule was not broken",
            node_show(run->context, value->item[count]));
    }
}

/* Any may be broken. */
static void leave_out(struct run *run, const struct outcome *outcome)
{
    for (size_t i = outcome->first_rule; i < outcome->last_rule; i++) {
        run->rule_expected[i] = true;
    }
}

const struct check_code check_violations = {
    .read = read_violations,
    .evaluate = evaluate_violations,
    .leave_out = leave_out,
};
