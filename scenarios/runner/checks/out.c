/* out.c - expect out: what a call or a device control has written to its
 * outputs.
 */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/checks/out_views.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/output_view.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static struct written written_to(
    const struct run *run, const struct out_block *block)
{
    struct facts *facts = run->scope.facts;
    struct written written = {
        block->at, block->before, block->size, facts_flag(facts, block->array)};

    const struct memory *memory = &run->session->machine.memory;
    bool there =
        block->at != NULL &&
        (!block->borrowed || memory_is_usable(memory, block->at, block->size));

    if (!facts_flag(facts, there)) {
        return (struct written){.at = NULL};
    }
    written.size = facts_count(facts, block->size);
    written.at = facts_bytes(facts, block->at, written.size);
    written.before = facts_bytes(facts, block->before, written.size);
    return written;
}

static void check_one_out(
    struct reader *reader, const struct entry *entry, const struct step *step)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    struct suggestion suggestion = suggest_for(entry->key->text);

    for (size_t i = 0; i < step->signature.parameter_count; i++) {
        const struct parameter *parameter = &step->signature.parameter[i];
        const struct actual actual = {.type = parameter->type,
            .count = 1,
            .array = strcmp(parameter->count, "one") != 0,
            .block = true};

        if (!parameter_is_out(parameter)) {
            continue;
        }
        if (strcmp(parameter->name, entry->key->text) == 0) {
            if (output_view_expected(parameter, entry->value)) {
                out_views_read(reader, step, entry->value);
            } else if (!match_refuse_idle(&reader->scope, entry->value,
                           match_domain_of(
                               &reader->scope, actual.type, actual.array))) {
                match_values(&match, entry->value, &actual);
            }
            return;
        }
        suggest_offer(&suggestion, parameter->name);
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, entry->key,
        "%s has no output '%s'", step->signature.name, entry->key->text);
    schema_suggest(&reader->scope.schema, &suggestion);
}

static void read_out(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    if (step->signature.parameter_count == 0) {
        read_checks_no_result(
            reader, step, key, "a call or a device control has outputs");
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

static void evaluate_one_out(const struct evaluation *evaluation,
    const struct entry *entry, const struct parameter *parameter,
    const struct written *block)
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
        if (evaluate_has_result(evaluation)) {
            evaluate_fail(evaluation, entry->value,
                "%s: the call was given no block for it", what);
        }
        return;
    }
    if (output_view_expected(parameter, entry->value)) {
        out_views_evaluate(evaluation, entry->value, block, what);
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
static void evaluate_out(const struct evaluation *evaluation)
{
    const struct outcome *outcome = evaluation->outcome;
    const struct node *value = evaluation->check->value;
    const struct signature *signature = &outcome->step->signature;

    for (size_t i = 0; i < value->count; i++) {
        for (size_t k = 0; k < signature->parameter_count; k++) {
            const struct parameter *parameter = &signature->parameter[k];

            if (strcmp(parameter->name, value->entry[i].key->text) == 0) {
                const struct written written =
                    written_to(evaluation->run, &outcome->out[k]);

                evaluate_one_out(
                    evaluation, &value->entry[i], parameter, &written);
            }
        }
    }
}

const struct check_code check_out = {
    .read = read_out,
    .evaluate = evaluate_out,
};
