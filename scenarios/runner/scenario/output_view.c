/* output_view.c - only a device control has an output without a type. */
#include "scenarios/runner/scenario/output_view.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/type_name.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

struct view {
    size_t at; /* bytes */
    enum nt_type type;
};

static bool is_view(const struct node *node)
{
    return node->kind == NODE_MAPPING && node_get(node, "at") != NULL;
}

bool output_view_has(const struct parameter *parameter)
{
    return parameter->type == NT_UCHAR && strcmp(parameter->count, "one") != 0;
}

bool output_view_expected(
    const struct parameter *parameter, const struct node *node)
{
    return output_view_has(parameter) &&
           (is_view(node) || (node->kind == NODE_SEQUENCE && node->count > 0 &&
                                 is_view(node->item[0])));
}

/* Where it is, which must be inside of the step's output. */
static bool read_view(struct reader *reader, const struct step *step,
    const struct node *node, struct view *view)
{
    const struct schema *schema = &reader->scope.schema;
    uint32_t output = step->signature.output;
    uint64_t at;
    size_t size;

    if (node_get(node, "at") == NULL || node_get(node, "type") == NULL ||
        !schema_number(schema, node_get(node, "at"), 0, UINT32_MAX, &at) ||
        !read_type(schema, node_get(node, "type"), &view->type)) {
        return false;
    }
    view->at = at;
    size = nt_type_row(view->type)->size;
    if (at + size > output) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node_get(node, "at"),
            "%zu bytes at %zu are not in the step's output, which has %u", size,
            view->at, (unsigned)output);
        return false;
    }
    return true;
}

static void check_one(
    struct reader *reader, const struct step *step, const struct node *node)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const struct node *is;
    struct actual actual = {.count = 1, .block = true};
    struct view view;

    if (!schema_mapping(
            &reader->scope.schema, node, MAPPING_OUTPUT_VALUE, node)) {
        return;
    }
    is = node_get(node, "is");
    if (read_view(reader, step, node, &view) && is != NULL &&
        !match_refuse_idle(&reader->scope.schema, is)) {
        actual.type = view.type;
        match_values(&match, is, &actual);
    }
}

void output_view_check(
    struct reader *reader, const struct step *step, const struct node *node)
{
    if (node->kind == NODE_MAPPING) {
        check_one(reader, step, node);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        check_one(reader, step, node->item[i]);
    }
}

static void evaluate_one(const struct evaluation *evaluation,
    const struct node *node, const struct out_block *block, const char *what)
{
    struct actual actual = {.count = 1, .block = true};
    const struct schema *schema = &evaluation->run->scope.schema;
    uint64_t at = 0;
    char *where;

    /* It was read before, without an error. */
    schema_number(schema, node_get(node, "at"), 0, UINT32_MAX, &at);
    read_type(schema, node_get(node, "type"), &actual.type);
    actual.at = block->at + at;
    actual.before = block->before + at;
    actual.block_size = nt_type_row(actual.type)->size;
    where = talloc_asprintf(evaluation->run->context, "%s at %zu, %s", what,
        (size_t)at, nt_type_row(actual.type)->name);
    evaluate_values(evaluation, node_get(node, "is"), &actual, where);
    talloc_free(where);
}

void output_view_evaluate(const struct evaluation *evaluation,
    const struct node *node, const struct out_block *block, const char *what)
{
    if (node->kind == NODE_MAPPING) {
        evaluate_one(evaluation, node, block, what);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        evaluate_one(evaluation, node->item[i], block, what);
    }
}

bool output_view_read_save(struct reader *reader, const struct step *step,
    const struct node *node, struct save *save, enum nt_type *type)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *out;
    struct view view;

    if (!schema_mapping(schema, node, MAPPING_OUTPUT_SAVE, node)) {
        return false;
    }
    out = node_get(node, "out");
    for (size_t i = 0; out != NULL && i < step->signature.parameter_count;
         i++) {
        const struct parameter *parameter = &step->signature.parameter[i];

        if (node_is_word(out, parameter->name) && output_view_has(parameter)) {
            save->parameter = i;
            save->is_out = save->is_view = true;
            if (!read_view(reader, step, node, &view)) {
                return false;
            }
            save->at = view.at;
            *type = view.type;
            return true;
        }
    }
    if (out != NULL) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, out,
            "this step has no output '%s' that is bytes",
            node_show(reader->scenario, out));
    }
    return false;
}
