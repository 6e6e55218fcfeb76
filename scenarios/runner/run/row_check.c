/* row_check.c - names, ids, values and figures; counter_scope.h says which
 * of these a collect can give. */
#include "scenarios/runner/run/row_check.h"

#include <string.h>

#include "scenarios/runner/counters/counter_scope.h"
#include "scenarios/runner/language/event_field.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/text/figure_text.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/text/figure_text.h"

static void check_name(struct reader *reader, const struct node *node)
{
    static const struct trace_field name = {
        .name = "text", .name_length = 4, .conversion = 's'};
    struct match match = {.scope = &reader->scope, .context = reader->scenario};

    if (!match_refuse_idle(&reader->scope.schema, node)) {
        event_field_match(&match, node, &name, NULL);
    }
}

/* What {not: x} and {one_of: [x, y]} hold; NULL for anything else. */
static const struct node *inside(const struct node *matcher, const char *key)
{
    return matcher->kind == NODE_MAPPING && matcher->count == 1
               ? node_get(matcher, key)
               : NULL;
}

bool row_says_none(const struct node *matcher)
{
    const struct node *not = inside(matcher, "not");
    const struct node *one_of = inside(matcher, "one_of");
    bool says =
        node_is_word(matcher, "none") || (not != NULL && row_says_none(not ));

    for (size_t i = 0; one_of != NULL && one_of->kind == NODE_SEQUENCE &&
                       i < one_of->count && !says;
         i++) {
        says = row_says_none(one_of->item[i]);
    }
    return says;
}

/* A figure is compared as it is printed, so it is written so. */
static void check_one_figure(struct reader *reader, const struct node *node)
{
    if (!node_is_word(node, "none") && !counter_figure_is_text(node->text)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "'%s' is no figure", node->text);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "12.5, with at most 6 decimals, or 6 digits behind 0.000, and "
            "without a 0 at the end; or none");
    }
}

static void check_figure(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *not = inside(node, "not");
    const struct node *one_of = inside(node, "one_of");

    if (node->kind == NODE_SCALAR) {
        check_one_figure(reader, node);
    } else if (not != NULL) {
        check_figure(reader, not );
    } else if (one_of == NULL) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected a figure, {not: figure} or {one_of: [figure, figure]}");
    } else if (one_of->kind != NODE_SEQUENCE || one_of->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, one_of,
            "one_of wants a list, [a, b]");
    } else {
        for (size_t i = 0; i < one_of->count; i++) {
            check_figure(reader, one_of->item[i]);
        }
    }
}

/* Matchers of numbers, with none among them. */
static void check_value(struct reader *reader, const struct node *node)
{
    const struct node *not = inside(node, "not");
    const struct node *one_of = inside(node, "one_of");

    if (node_is_word(node, "none")) {
        return;
    }
    if (!row_says_none(node)) {
        match_check(&reader->scope, reader->scenario, node, NT_ULONG64);
    } else if (not != NULL) {
        check_value(reader, not );
    } else {
        for (size_t i = 0; i < one_of->count; i++) {
            check_value(reader, one_of->item[i]);
        }
    }
}

/* Whether the node is {Counter: value}, of counters that the collect gives. */
static bool check_counters(
    struct reader *reader, const struct step *step, const struct node *node)
{
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {Counter: value}");
        return false;
    }
    if (step->collection->enumerates) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "an enumeration gives no values");
        return false;
    }
    return true;
}

/* Values, or figures, of counters that the step may ask for. */
static void check_each(struct reader *reader, const struct step *step,
    const struct node *node, bool figures)
{
    const struct counter_scope scope = {&reader->scope.schema,
        &reader->scenario->manifests, &reader->scenario->rulings,
        step->collection};
    uint32_t id;

    for (size_t i = 0; i < node->count; i++) {
        const struct entry *entry = &node->entry[i];

        if (!counter_scope_find(&scope, entry->key->text, &id)) {
            counter_scope_report(&scope, entry->key, entry->key->text);
        } else if (figures) {
            counter_scope_check_figure(&scope, entry->key, id);
        } else {
            counter_scope_check_value(&scope, entry->key, entry->value, id);
        }
        if (!match_refuse_idle(&reader->scope.schema, entry->value)) {
            (figures ? check_figure : check_value)(reader, entry->value);
        }
    }
}

static void check_shown(
    struct reader *reader, const struct step *step, const struct node *node)
{
    /* Where there are manifests, a set that none of them has was reported. */
    if (!reader->scenario->manifests.broken &&
        reader->scenario->manifests.count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "no manifest says what these counters' figures are");
        return;
    }
    check_each(reader, step, node, true);
}

void row_check(
    struct reader *reader, const struct step *step, const struct node *row)
{
    const struct node *name, *id, *values, *shown;

    if (!schema_mapping(&reader->scope.schema, row, MAPPING_ROW, row)) {
        return;
    }
    name = node_get(row, "name");
    id = node_get(row, "id");
    values = node_get(row, "values");
    shown = node_get(row, "shown");
    if (name != NULL) {
        check_name(reader, name);
    }
    if (id != NULL && !match_refuse_idle(&reader->scope.schema, id)) {
        match_check(&reader->scope, reader->scenario, id, NT_ULONG);
    }
    if (values != NULL && check_counters(reader, step, values)) {
        check_each(reader, step, values, false);
    }
    if (shown != NULL && check_counters(reader, step, shown)) {
        check_shown(reader, step, shown);
    }
}
