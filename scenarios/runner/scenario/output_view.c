/* output_view.c - typed values in an output that is bytes, which only a device
 * control has: where they are, and save. */
#include "scenarios/runner/scenario/output_view.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/structures.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

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

bool output_view_of(
    struct scope *scope, const struct node *node, struct output_view *view)
{
    const struct node *type = node_get(node, "type");
    uint64_t at;

    if (node_get(node, "at") == NULL || type == NULL ||
        !schema_number(
            &scope->schema, node_get(node, "at"), 0, UINT32_MAX, &at)) {
        return false;
    }
    *view = (struct output_view){.at = at};
    if (!structures_type(
            &scope->schema, scope->structures, type, &view->own, &view->type)) {
        return false;
    }
    view->size =
        view->own != NULL ? view->own->size : nt_type_row(view->type)->size;
    return true;
}

bool output_view_read(struct reader *reader, const struct step *step,
    const struct node *node, struct output_view *view)
{
    uint32_t output = step->signature.output;
    size_t size;

    if (!output_view_of(&reader->scope, node, view)) {
        return false;
    }
    size = view->size;
    if (view->at + size > output) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_OUT_OF_RANGE,
            node_get(node, "at"),
            "%zu byte%s at %zu %s not in the step's output, which has %u", size,
            size == 1 ? "" : "s", view->at, size == 1 ? "is" : "are",
            (unsigned)output);
        return false;
    }
    return true;
}

/* The field of a structure, which is one value: what is saved is that. */
static bool read_field(
    struct reader *reader, const struct node *node, struct output_view *view)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *name = node_get(node, "field");
    const struct structure_field *field;

    if (view->own == NULL) {
        if (name != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, name,
                "'%s' has no fields that can be saved: at says where one is",
                node_get(node, "type")->text);
        }
        return name == NULL;
    }
    if (view->own->broken) {
        return false;
    }
    if (name == NULL) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, node,
            "of '%s' a field is saved; write field", view->own->name);
        return false;
    }
    field = structure_field(&reader->scope, view->own, name);
    if (field != NULL && (field->own != NULL || field->count > 0)) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, name,
            "'%s' is %s: its type and at say which value of it is saved",
            field->name, field->own != NULL ? "a structure" : "an array");
        return false;
    }
    if (field != NULL && field->bits > 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, name,
            "'%s' is bits of a number: save that, by its type and at",
            field->name);
        return false;
    }
    if (field != NULL) {
        view->at += field->at;
        view->type = field->type;
    }
    return field != NULL;
}

bool output_view_read_save(struct reader *reader, const struct step *step,
    const struct node *node, struct save *save, enum nt_type *type)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *out;
    struct output_view view;

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
            if (!output_view_read(reader, step, node, &view) ||
                !read_field(reader, node, &view)) {
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
