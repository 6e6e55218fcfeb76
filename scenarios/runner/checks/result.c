/* result.c - expect status, returns, value, eax, ..: a number that the step's
 * own action gives. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/bit_names.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/library/kinds.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void read_status(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    struct step_result result;

    if (step->signature.returns != NT_NTSTATUS) {
        read_checks_no_result(reader, step, key,
            step_result(step, 0, &result)
                ? talloc_asprintf(reader->scenario, "it has '%s', a %s",
                      result.name, nt_type_row(result.type)->name)
                : "a call of a routine that returns one has");
        return;
    }
    /* 'any' says that the call may fail, so it is not idle. */
    if (node_is_word(value, "any") ||
        !match_refuse_idle(&reader->scope, value,
            match_domain_of(&reader->scope, NT_NTSTATUS, false))) {
        match_check(&reader->scope, reader->scenario, value, NT_NTSTATUS);
    }
}

static void read_returns(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    enum nt_type type = step->signature.returns;

    if (type == NT_VOID || type == NT_NTSTATUS) {
        read_checks_no_result(reader, step, key,
            type == NT_VOID ? "it returns nothing"
                            : "it returns a status: write status");
        return;
    }
    if (!match_refuse_idle(&reader->scope, value,
            match_domain_of(&reader->scope, type, false))) {
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

/* "a rdmsr, rdpmc or mrs has", child of the scenario. */
static const char *who_has(const struct reader *reader, const char *name)
{
    const struct step_kinds *kinds = reader->kinds->steps;
    const char *last = NULL;
    char *text = talloc_strdup(reader->scenario, "a ");

    for (size_t i = 0; i < kinds->count; i++) {
        const struct step_result *result = kinds->item[i].results;

        while (result->name != NULL && strcmp(result->name, name) != 0) {
            result++;
        }
        if (result->name == NULL) {
            continue;
        }
        if (last != NULL) {
            text = talloc_asprintf_append_buffer(
                text, "%s%s", text[2] == '\0' ? "" : ", ", last);
        }
        last = kinds->item[i].key;
    }
    return talloc_asprintf_append_buffer(text, "%s%s has",
        text[2] == '\0' ? "" : " or ", last == NULL ? "step" : last);
}

static void read_result(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    struct step_result result;
    size_t n;

    if (!step_result_find(step, key->text, &n, &result)) {
        read_checks_no_result(reader, step, key, who_has(reader, key->text));
        return;
    }
    if (!match_refuse_idle(&reader->scope, value,
            match_domain_of(&reader->scope, result.type, false)) &&
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
            evaluation->outcome->step->signature.returns,
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
        uint8_t bytes[8];
        const struct actual actual = {.type = result.type,
            .at = bytes,
            .count = 1,
            .bits_of = bit_names_register(
                node_get(outcome->step->node, outcome->step->key->text))};

        nt_store(bytes, sizeof(bytes), outcome->value[n]);
        evaluate_values(evaluation, evaluation->check->value, &actual, name);
    }
}

const struct check_code check_status = {
    .read = read_status,
    .evaluate = evaluate_status,
};
const struct check_code check_returns = {
    .read = read_returns,
    .evaluate = evaluate_returns,
};
const struct check_code check_result = {
    .read = read_result,
    .evaluate = evaluate_result,
};
