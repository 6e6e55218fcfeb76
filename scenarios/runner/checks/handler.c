/* handler.c - expect handler: the runs of a callback during the step. */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

/* Callbacks, then routines that the scenario answers for. */
static const char *name_of_callee(size_t n, const void *context)
{
    const struct scenario *scenario = context;
    const struct callback_names *names = scenario->callback_names;
    const struct answer_names *answers = &scenario->answer_names;

    if (n < names->count) {
        return names->item[n].name;
    }
    return n - names->count < answers->count ? answers->item[n - names->count]
                                             : NULL;
}

/* Its parameters; NULL: they are unknown, and that was reported. */
static const struct callback_row *row_of(
    const struct scenario *scenario, size_t callee)
{
    if (callee >= scenario->callback_names->count) {
        return &callback_rows[CALLBACK_PIMPORTED_ROUTINE];
    }
    return scenario->callback[callee].lost
               ? NULL
               : &callback_rows[scenario->callback[callee].type];
}

/* The parameter of that name; CALLBACK_PARAMETERS when there is none. */
static size_t find_parameter(const struct callback_row *row, const char *name)
{
    size_t k = 0;

    while (k < CALLBACK_PARAMETERS &&
           (row->parameter[k].name == NULL ||
               strcmp(row->parameter[k].name, name) != 0)) {
        k++;
    }
    return k;
}

static void check_args(struct reader *reader, const struct node *args,
    const struct callback_row *row)
{
    if (args == NULL) {
        return;
    }
    if (args->kind != NODE_MAPPING) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, args,
            "expected {Parameter: value}");
        return;
    }
    for (size_t i = 0; i < args->count; i++) {
        const struct node *key = args->entry[i].key;
        struct suggestion suggestion = suggest_for(key->text);
        size_t found = find_parameter(row, key->text);

        if (found < CALLBACK_PARAMETERS) {
            match_check_number(&reader->scope, reader->scenario,
                args->entry[i].value, row->parameter[found].type, UINT64_MAX);
            continue;
        }
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_KEY, key,
            "the handler has no parameter '%s'", key->text);
        for (size_t k = 0;
             k < CALLBACK_PARAMETERS && row->parameter[k].name != NULL; k++) {
            suggest_offer(&suggestion, row->parameter[k].name);
        }
        schema_suggest(&reader->scope.schema, &suggestion);
    }
}

static void check_one(struct reader *reader, const struct node *node)
{
    const struct node *name;
    const struct callback_row *row = NULL; /* unknown, and reported */
    size_t callee;

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_HANDLER, node)) {
        return;
    }
    name = node_get(node, "name");
    if (name != NULL && schema_name(&reader->scope.schema, name, "callback",
                            name_of_callee, reader->scenario, &callee)) {
        row = row_of(reader->scenario, callee);
    }
    match_check_number(&reader->scope, reader->scenario, node_get(node, "runs"),
        NT_ULONG, UINT32_MAX);
    match_check_number(&reader->scope, reader->scenario, node_get(node, "cpu"),
        NT_ULONG, reader->scenario->machine.processors - 1);
    match_check_number(&reader->scope, reader->scenario, node_get(node, "irql"),
        NT_KIRQL, UINT8_MAX);
    if (row != NULL) {
        check_args(reader, node_get(node, "args"), row);
    }
}

static void read_handler(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    (void)step;
    (void)key;
    if (value->kind == NODE_MAPPING) {
        check_one(reader, value);
        return;
    }
    if (schema_sequence(&reader->scope.schema, value)) {
        for (size_t i = 0; i < value->count; i++) {
            check_one(reader, value->item[i]);
        }
    }
}

static void evaluate_field(const struct evaluation *evaluation,
    const struct node *node, const char *key, enum nt_type type,
    uint64_t number)
{
    const struct node *expected = node == NULL ? NULL : node_get(node, key);
    char *what;

    if (expected != NULL) {
        what = talloc_asprintf(evaluation->run->context, "handler %s", key);
        evaluate_number(evaluation, expected, type, number, what);
        talloc_free(what);
    }
}

static void evaluate_run(const struct evaluation *evaluation,
    const struct node *node, const struct handler_run *run)
{
    const struct node *args = node_get(node, "args");
    const struct callback_row *row =
        row_of(evaluation->run->scenario, run->callback);

    evaluate_field(evaluation, node, "cpu", NT_ULONG, run->processor);
    evaluate_field(evaluation, node, "irql", NT_KIRQL, run->irql);
    for (size_t i = 0;
         i < CALLBACK_PARAMETERS && row->parameter[i].name != NULL; i++) {
        evaluate_field(evaluation, args, row->parameter[i].name,
            row->parameter[i].type, run->argument[i]);
    }
}

/* Every run of the named handler in this step is as expected, and there are as
 * many as expected. */
static void evaluate_one(
    const struct evaluation *evaluation, const struct node *node)
{
    const struct run *run = evaluation->run;
    const struct outcome *outcome = evaluation->outcome;
    const struct node *name = node_get(node, "name");
    uint64_t runs = 0;

    for (size_t i = outcome->first_handler; i < outcome->last_handler; i++) {
        const struct handler_run *one = &run->handler[i];

        if (node_is_word(name, name_of_callee(one->callback, run->scenario))) {
            runs++;
            evaluate_run(evaluation, node, one);
        }
    }
    evaluate_field(evaluation, node, "runs", NT_ULONG, runs);
}

static void evaluate_handler(const struct evaluation *evaluation)
{
    const struct node *value = evaluation->check->value;

    if (value->kind == NODE_MAPPING) {
        evaluate_one(evaluation, value);
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        evaluate_one(evaluation, value->item[i]);
    }
}

const struct check_code check_handler = {
    .read = read_handler,
    .evaluate = evaluate_handler,
};
