/* expect_results.c - status, returns, out, value, eax, raises: what a step's
 * own action gives. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/image/native.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/output_view.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void no_such_result(
    struct reader *reader, const struct node *key, const char *instead)
{
    schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, key,
        "this step has no '%s'", key->text);
    diagnostics_hint(reader->scope.schema.diagnostics, "%s", instead);
}

void check_status(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    if (step_returns(step) != NT_NTSTATUS) {
        no_such_result(reader, key, "a call of a routine that returns one has");
        return;
    }
    /* 'any' says that the call may fail, so it is not idle. */
    match_check(&reader->scope, reader->scenario, value, NT_NTSTATUS);
}

void check_returns(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    enum nt_type type = step_returns(step);

    if (type == NT_VOID || type == NT_NTSTATUS) {
        no_such_result(reader, key,
            type == NT_VOID ? "it returns nothing" : "it returns a 'status'");
        return;
    }
    if (!match_refuse_idle(&reader->scope.schema, value)) {
        match_check(&reader->scope, reader->scenario, value, type);
    }
}

static void check_one_out(
    struct reader *reader, const struct entry *entry, const struct step *step)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    struct suggestion suggestion = suggest_for(entry->key->text);
    const struct parameter *parameter;

    for (size_t i = 0; (parameter = step_parameter(step, i)) != NULL; i++) {
        const struct actual actual = {.type = parameter->type,
            .count = 1,
            .array = strcmp(parameter->count, "one") != 0,
            .block = true};

        if (!parameter_is_out(parameter)) {
            continue;
        }
        if (strcmp(parameter->name, entry->key->text) == 0) {
            if (view_expected(parameter, entry->value)) {
                view_check(reader, step, entry->value);
            } else if (!match_refuse_idle(
                           &reader->scope.schema, entry->value)) {
                match_values(&match, entry->value, &actual);
            }
            return;
        }
        suggest_offer(&suggestion, parameter->name);
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, entry->key,
        "%s has no output '%s'",
        step->kind == STEP_CALL ? routine_rows[step->u.call.routine].name
                                : "a device control",
        entry->key->text);
    schema_suggest(&reader->scope.schema, &suggestion);
}

void check_out(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    if (step_parameter(step, 0) == NULL) {
        no_such_result(reader, key, "a call or a device control has outputs");
        return;
    }
    if (value->kind != NODE_MAPPING || value->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, value,
            "expected {Parameter: value}");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        check_one_out(reader, &value->entry[i], step);
    }
}

/* A flag is true or false, though a BOOLEAN of C may be any number. */
static bool check_flag(struct reader *reader, const struct node *node)
{
    const struct node *inner = node;
    bool value;

    if (node->kind == NODE_MAPPING && node->count == 1) {
        inner = node->entry[0].value;
    }
    if (inner->kind != NODE_SCALAR || node_is_computed(inner)) {
        return true;
    }
    return schema_bool(&reader->scope.schema, inner, &value);
}

void check_result(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    struct step_result result;
    size_t n;

    if (!step_result_find(step, key->text, &n, &result)) {
        no_such_result(reader, key,
            strcmp(key->text, "value") == 0 ? "a rdmsr, rdpmc or mrs has"
            : key->text[0] == 'e'           ? "a cpuid has"
                                            : "a collect has");
        return;
    }
    if (!match_refuse_idle(&reader->scope.schema, value) &&
        (result.type != NT_BOOLEAN || check_flag(reader, value))) {
        match_check(&reader->scope, reader->scenario, value, result.type);
    }
}

void check_raises(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const char *can = step_raises(step);

    if (can == NULL) {
        no_such_result(
            reader, key, "a call, a store or a register access can raise");
        return;
    }
    if (!node_is_word(value, can)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, value,
            "this step can raise %s only", can);
    }
}

bool evaluate_has_result(const struct evaluation *evaluation)
{
    const struct outcome *outcome = evaluation->outcome;

    if (outcome->failed) {
        return false; /* why is reported already */
    }
    if (outcome->finished && !outcome->raised) {
        return true;
    }
    if (evaluation->run->session->kernel.native->end != NATIVE_GOES_ON) {
        return false;
    }
    if (!outcome->raised &&
        evaluation->run->session->kernel.bugcheck.code != BUGCHECK_NONE &&
        !step_expects(outcome->step, CHECK_BUGCHECK)) {
        return false; /* that the machine stopped says it all */
    }
    evaluate_fail(evaluation, evaluation->check->value,
        outcome->raised ? "%s: the step raised an exception instead"
                        : "%s: the step did not come to its end",
        evaluation->check->key->text);
    return false;
}

void evaluate_status(const struct evaluation *evaluation)
{
    if (evaluate_has_result(evaluation)) {
        evaluate_number(evaluation, evaluation->check->value, NT_NTSTATUS,
            evaluation->outcome->returns, "status");
    }
}

void evaluate_returns(const struct evaluation *evaluation)
{
    if (evaluate_has_result(evaluation)) {
        evaluate_number(evaluation, evaluation->check->value,
            step_returns(evaluation->outcome->step),
            evaluation->outcome->returns, "returns");
    }
}

static void evaluate_one_out(const struct evaluation *evaluation,
    const struct entry *entry, const struct parameter *parameter,
    const struct out_block *block)
{
    char *what =
        talloc_asprintf(evaluation->run->context, "out.%s", parameter->name);
    size_t element = nt_type_row(parameter->type)->size;
    const struct actual actual = {.type = parameter->type,
        .at = block->at,
        .count = block->size / element,
        .array = block->array,
        .block = true,
        .block_size = block->size,
        .before = block->before};

    if (block->at == NULL) {
        evaluate_fail(evaluation, entry->value,
            "%s: the call was given no block for it", what);
        return;
    }
    if (view_expected(parameter, entry->value)) {
        view_evaluate(evaluation, entry->value, block, what);
        return;
    }
    if (!block->array && block->size < element &&
        !node_is_word(entry->value, "unchanged")) {
        evaluate_fail(evaluation, entry->value,
            "%s: its block has only %zu of %zu bytes", what, block->size,
            element);
        return;
    }
    evaluate_values(evaluation, entry->value, &actual, what);
}

/* An array's length is what its routine says it wrote, where it does. */
void evaluate_out(const struct evaluation *evaluation)
{
    const struct outcome *outcome = evaluation->outcome;
    const struct node *value = evaluation->check->value;
    const struct parameter *parameter;

    for (size_t i = 0; i < value->count; i++) {
        for (size_t k = 0;
             (parameter = step_parameter(outcome->step, k)) != NULL; k++) {
            if (strcmp(parameter->name, value->entry[i].key->text) == 0) {
                evaluate_one_out(
                    evaluation, &value->entry[i], parameter, &outcome->out[k]);
            }
        }
    }
}

void evaluate_result(const struct evaluation *evaluation)
{
    const char *name = evaluation->check->key->text;
    const struct outcome *outcome = evaluation->outcome;
    struct step_result result;
    size_t n;

    if (evaluate_has_result(evaluation) &&
        step_result_find(outcome->step, name, &n, &result)) {
        evaluate_number(evaluation, evaluation->check->value, result.type,
            outcome->value[n], name);
    }
}

void evaluate_raises(const struct evaluation *evaluation)
{
    const struct outcome *outcome = evaluation->outcome;

    evaluate_cites(evaluation);
    if (!outcome->raised) {
        evaluate_fail(evaluation, evaluation->check->value,
            "expected %s, but nothing was raised",
            evaluation->check->value->text);
    }
}
