/* expect_handler.c - runs of overflow handlers during the step. */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/reader.h"
#include "scenarios/runner/run.h"

/* Parameters of PPHYSICAL_COUNTER_OVERFLOW_HANDLER. */
static const struct {
    const char *name;
    enum nt_type type;
} parameters[] = {{"OverflowBits", NT_ULONGLONG}, {"OwningHandle", NT_HANDLE}};

static const char *name_of_callback(size_t n, const void *context)
{
    const struct callback_names *names = context;

    return n < names->count ? names->item[n].name : NULL;
}

static void check_args(struct reader *reader, const struct node *args)
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
        unsigned k = strcmp(key->text, parameters[0].name) == 0 ? 0 : 1;

        if (strcmp(key->text, parameters[k].name) != 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_KEY, key,
                "the handler has no parameter '%s'", key->text);
            diagnostics_hint(reader->scope.schema.diagnostics,
                "it has OverflowBits and OwningHandle");
            continue;
        }
        check_matcher(reader, args->entry[i].value, parameters[k].type);
    }
}

static void check_one(struct reader *reader, const struct node *node)
{
    const struct node *name;
    size_t callback;

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_HANDLER, node)) {
        return;
    }
    name = node_get(node, "name");
    if (name != NULL) {
        schema_name(&reader->scope.schema, name, "callback", name_of_callback,
            reader->scenario->callback_names, &callback);
    }
    if (node_get(node, "runs") != NULL) {
        refuse_idle(reader, node_get(node, "runs"));
    }
    check_matcher(reader, node_get(node, "runs"), NT_ULONG);
    check_matcher(reader, node_get(node, "cpu"), NT_ULONG);
    check_matcher(reader, node_get(node, "irql"), NT_KIRQL);
    check_args(reader, node_get(node, "args"));
}

void check_handler(struct reader *reader, const struct step *step,
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

    evaluate_field(evaluation, node, "cpu", NT_ULONG, run->processor);
    evaluate_field(evaluation, node, "irql", NT_KIRQL, run->irql);
    evaluate_field(evaluation, args, "OverflowBits", NT_ULONGLONG, run->bits);
    evaluate_field(evaluation, args, "OwningHandle", NT_HANDLE, run->handle);
}

/* Every run of the named handler in this step is as expected, and there are as
 * many as expected. */
static void evaluate_one(
    const struct evaluation *evaluation, const struct node *node)
{
    const struct run *run = evaluation->run;
    const struct outcome *outcome = evaluation->outcome;
    const struct callback_names *names = run->scenario->callback_names;
    const struct node *name = node_get(node, "name");
    uint64_t runs = 0;

    for (size_t i = outcome->first_handler; i < outcome->last_handler; i++) {
        const struct handler_run *one = &run->handler[i];

        if (node_is_word(name, names->item[one->callback].name)) {
            runs++;
            evaluate_run(evaluation, node, one);
        }
    }
    evaluate_field(evaluation, node, "runs", NT_ULONG, runs);
}

void evaluate_handler(const struct evaluation *evaluation)
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
