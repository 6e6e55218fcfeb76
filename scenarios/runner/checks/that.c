/* that.c - expect that: conditions on what steps have saved. */
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void check_one(struct reader *reader, const struct node *node)
{
    bool value;

    if (node_is_word(node, "true") || node_is_word(node, "false")) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "this depends on nothing that runs");
        return;
    }
    scope_condition(&reader->scope, node, &value);
}

static void read_that(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    (void)step;
    (void)key;
    if (value->kind != NODE_SEQUENCE) {
        check_one(reader, value);
        return;
    }
    if (schema_sequence(&reader->scope.schema, value)) {
        for (size_t i = 0; i < value->count; i++) {
            check_one(reader, value->item[i]);
        }
    }
}

static void evaluate_one(
    const struct evaluation *evaluation, const struct node *node)
{
    struct scope *scope = &evaluation->run->scope;
    bool value = false;

    scope->shown = talloc_strdup(evaluation->run->context, "");
    if (!scope_condition(scope, node, &value)) {
        if (evaluate_lacks(evaluation)) {
            return;
        }
        evaluate_fail(evaluation, node, "%s", scope_take_failure(scope));
    } else if (!value) {
        /* It depends on something that ran, so there is something to show. */
        evaluate_fail(
            evaluation, node, "%s is false: %s", node->text, scope->shown);
    }
    talloc_free(scope->shown);
    scope->shown = NULL;
}

static void evaluate_that(const struct evaluation *evaluation)
{
    const struct node *value = evaluation->check->value;

    evaluate_cites(evaluation);
    if (value->kind != NODE_SEQUENCE) {
        evaluate_one(evaluation, value);
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        evaluate_one(evaluation, value->item[i]);
    }
}

const struct check_code check_that = {
    .read = read_that,
    .evaluate = evaluate_that,
};
