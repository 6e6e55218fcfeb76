/* result.c - expect status, returns, value, eax, ..: a number that the step's
 * own action gives. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/image/native.h"
#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void read_status(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    if (step_returns(step) != NT_NTSTATUS) {
        read_checks_no_result(
            reader, key, "a call of a routine that returns one has");
        return;
    }
    /* 'any' says that the call may fail, so it is not idle. */
    match_check(&reader->scope, reader->scenario, value, NT_NTSTATUS);
}

static void read_returns(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    enum nt_type type = step_returns(step);

    if (type == NT_VOID || type == NT_NTSTATUS) {
        read_checks_no_result(reader, key,
            type == NT_VOID ? "it returns nothing" : "it returns a 'status'");
        return;
    }
    if (!match_refuse_idle(&reader->scope.schema, value)) {
        match_check(&reader->scope, reader->scenario, value, type);
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

static void read_result(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    struct step_result result;
    size_t n;

    if (!step_result_find(step, key->text, &n, &result)) {
        read_checks_no_result(reader, key,
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

static void evaluate_status(const struct evaluation *evaluation)
{
    if (evaluate_has_result(evaluation)) {
        evaluate_number(evaluation, evaluation->check->value, NT_NTSTATUS,
            evaluation->outcome->returns, "status");
    }
}

static void evaluate_returns(const struct evaluation *evaluation)
{
    if (evaluate_has_result(evaluation)) {
        evaluate_number(evaluation, evaluation->check->value,
            step_returns(evaluation->outcome->step),
            evaluation->outcome->returns, "returns");
    }
}

static void evaluate_result(const struct evaluation *evaluation)
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

const struct check_code check_status = {
    .read = read_status, .evaluate = evaluate_status};
const struct check_code check_returns = {
    .read = read_returns, .evaluate = evaluate_returns};
const struct check_code check_result = {
    .read = read_result, .evaluate = evaluate_result};
