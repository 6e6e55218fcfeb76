/* expect_rows.c - rows: the instances that a consumer was given. */
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counter_names.h"
#include "scenarios/runner/counter_width.h"
#include "scenarios/runner/event_field.h"
#include "scenarios/runner/literal.h"
#include "scenarios/runner/row_path.h"
#include "scenarios/runner/rows.h"
#include "scenarios/runner/shown_text.h"
#include "scenarios/runner/value.h"

/* Names and figures are texts. */
static const struct trace_field text_field = {
    .name = "text", .name_length = 4, .conversion = 's'};

/* {len: n} */
static const struct node *length_of(const struct node *value)
{
    return value->kind == NODE_MAPPING && value->count == 1
               ? node_get(value, "len")
               : NULL;
}

static void check_text(struct reader *reader, const struct node *node)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};

    if (!refuse_idle(reader, node)) {
        event_field_match(&match, node, &text_field, NULL);
    }
}

/* A figure is compared as it is printed, so it is written so. */
static void check_figure(struct reader *reader, const struct node *node)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *inner;

    if (node->kind == NODE_SCALAR) {
        if (!node_is_word(node, "none") && !shown_text_is(node->text)) {
            schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
                "'%s' is no figure", node->text);
            diagnostics_hint(schema->diagnostics,
                "12.5, with at most 6 decimals, or 6 digits behind 0.000, and "
                "without a 0 at the end; or none");
        }
        return;
    }
    inner = node->kind == NODE_MAPPING && node->count == 1
                ? node->entry[0].value
                : NULL;
    for (size_t i = 0;
         inner != NULL && inner->kind == NODE_SEQUENCE && i < inner->count;
         i++) {
        check_figure(reader, inner->item[i]);
    }
    if (inner != NULL && inner->kind == NODE_SCALAR) {
        check_figure(reader, inner);
    }
    check_text(reader, node);
}

/* A mapping of counters. Returns whether the node is one. */
static bool check_counters(
    struct reader *reader, const struct step *step, const struct node *node)
{
    uint32_t id;

    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {Counter: value}");
        return false;
    }
    if (step->u.collect.enumerate) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "an enumeration gives no values");
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct node *key = node->entry[i].key;

        if (!row_path_counter(reader->scenario, step, key->text, &id)) {
            report_counter(reader, key, key->text, step->u.collect.of);
        }
    }
    return true;
}

static void check_shown(
    struct reader *reader, const struct step *step, const struct node *node)
{
    const struct asked *asked = step->u.collect.of;

    if (!check_counters(reader, step, node)) {
        return;
    }
    if (!reader->manifests_broken &&
        ((asked != NULL && asked->manifest == NULL) ||
            reader->scenario->manifest_count == 0)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "no manifest says what these counters' figures are");
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        check_figure(reader, node->entry[i].value);
    }
}

static void check_value(struct reader *reader, const struct node *node)
{
    if (!node_is_word(node, "none") && !refuse_idle(reader, node)) {
        check_matcher(reader, node, NT_ULONG64);
    }
}

static void check_row(
    struct reader *reader, const struct step *step, const struct node *node)
{
    const struct node *values;

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_ROW, node)) {
        return;
    }
    if (node_get(node, "name") != NULL) {
        check_text(reader, node_get(node, "name"));
    }
    if (node_get(node, "id") != NULL &&
        !refuse_idle(reader, node_get(node, "id"))) {
        check_matcher(reader, node_get(node, "id"), NT_ULONG);
    }
    values = node_get(node, "values");
    if (values != NULL && check_counters(reader, step, values)) {
        for (size_t i = 0; i < values->count; i++) {
            check_value(reader, values->entry[i].value);
        }
    }
    if (node_get(node, "shown") != NULL) {
        check_shown(reader, step, node_get(node, "shown"));
    }
}

void check_rows(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;
    size_t length = 0;

    if (step->kind != STEP_COLLECT) {
        schema_error(
            schema, DIAGNOSTIC_NO_EFFECT, key, "this step has no 'rows'");
        diagnostics_hint(schema->diagnostics, "a collect has");
        return;
    }
    if (length_of(value) != NULL) {
        if (!refuse_idle(reader, value)) {
            check_matcher(reader, length_of(value), NT_ULONG64);
        }
        return;
    }
    if (!value_is_list(value)) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, value,
            "expected a list of rows, [{name: abc, values: {Counter: 5}}], or "
            "{len: 2}");
        return;
    }
    if (!value_length(&reader->scope, value, &length)) {
        return;
    }
    if (value->kind == NODE_MAPPING && length > 1) {
        length = 1; /* one row of a repeat stands for all */
    }
    for (size_t i = 0; i < length; i++) {
        check_row(reader, step, value_item(&reader->scope, value, i));
    }
    value_list_end(&reader->scope, value);
}

/* One row that was expected, and there. */
struct row_evaluation {
    const struct evaluation *evaluation;
    const struct rows *rows;
    size_t n;
};

__attribute__((format(printf, 2, 3))) static char *part_name(
    const struct row_evaluation *row, const char *format, ...)
{
    char *name =
        talloc_asprintf(row->evaluation->run->context, "rows[%zu].", row->n);
    va_list arguments;

    va_start(arguments, format);
    name = talloc_vasprintf_append_buffer(name, format, arguments);
    va_end(arguments);
    return name;
}

static void evaluate_text(const struct row_evaluation *row,
    const struct node *node, const char *actual, const char *what)
{
    struct run *run = row->evaluation->run;
    const struct field_value value = {.text = actual};
    struct match match = {.scope = &run->scope, .context = run->context};

    if (event_field_match(&match, node, &text_field, &value)) {
        evaluate_cites(row->evaluation);
        return;
    }
    scope_take_failure(&run->scope);
    literals_note(run->verdict->literals, node, false, NULL);
    evaluate_fail(row->evaluation, node, "%s: expected %s, actual %s", what,
        node_show(run->context, node), actual);
}

/* A counter that was not asked for, or that no provider has. */
static void evaluate_no_value(const struct row_evaluation *row,
    const struct entry *entry, const struct row_value *value)
{
    evaluate_cites(row->evaluation);
    if (value != NULL) {
        literals_note(
            row->evaluation->run->verdict->literals, entry->value, false, NULL);
        evaluate_fail(row->evaluation, entry->value,
            "%s: expected none, actual %" PRIu64,
            part_name(row, "values.%s", entry->key->text), value->value);
    }
}

/* NULL: the row has no value of that counter. */
static const struct row_value *find_value(
    const struct row_evaluation *row, const char *name)
{
    uint32_t id;

    return counter_names_find(row->rows->set, name, &id)
               ? row_find(&row->rows->item[row->n], id)
               : NULL;
}

/* What was expected of a value, and why it may be wrong. */
static const char *value_name(const struct row_evaluation *row, const char *key,
    const char *name, const struct row_value *value)
{
    const struct manifest_set *set = row->rows->set;
    const char *part = part_name(row, "%s.%s", key, name);

    return value == NULL || counter_width_agrees(set, value)
               ? part
               : talloc_asprintf(row->evaluation->run->context, "%s (%s)", part,
                     counter_width_text(
                         row->evaluation->run->context, set, value));
}

static void evaluate_value(
    const struct row_evaluation *row, const struct entry *entry)
{
    const char *name = entry->key->text;
    const struct row_value *value = find_value(row, name);

    if (node_is_word(entry->value, "none")) {
        evaluate_no_value(row, entry, value);
        return;
    }
    if (value == NULL) {
        evaluate_fail(row->evaluation, entry->key,
            "%s: the row has no value of this counter",
            part_name(row, "values.%s", name));
        return;
    }
    evaluate_number(row->evaluation, entry->value, NT_ULONG64, value->value,
        value_name(row, "values", name, value));
}

static void evaluate_shown(
    const struct row_evaluation *row, const struct entry *entry)
{
    const char *name = entry->key->text;
    const struct row_value *value = find_value(row, name);

    evaluate_text(row, entry->value,
        value == NULL || value->shown == NULL ? "none" : value->shown,
        value_name(row, "shown", name, value));
}

static void evaluate_row(
    const struct row_evaluation *row, const struct node *node)
{
    const struct row *actual = &row->rows->item[row->n];
    const struct node *name = node_get(node, "name");
    const struct node *id = node_get(node, "id");
    const struct node *values = node_get(node, "values");
    const struct node *shown = node_get(node, "shown");

    if (name != NULL) {
        evaluate_text(row, name, actual->name, part_name(row, "name"));
    }
    if (id != NULL) {
        evaluate_number(
            row->evaluation, id, NT_ULONG, actual->id, part_name(row, "id"));
    }
    for (size_t i = 0; values != NULL && i < values->count; i++) {
        evaluate_value(row, &values->entry[i]);
    }
    for (size_t i = 0; shown != NULL && i < shown->count; i++) {
        evaluate_shown(row, &shown->entry[i]);
    }
}

static void report_length(const struct evaluation *evaluation,
    const struct rows *rows, size_t expected)
{
    enum { SHOWN = 4 };
    struct run *run = evaluation->run;
    char *text = talloc_strdup(run->context, "");

    for (size_t i = 0; i < rows->count && i < SHOWN; i++) {
        text = talloc_asprintf_append_buffer(text, "%s%s", i == 0 ? ": " : "; ",
            row_text(run->context, rows, i));
    }
    literals_note(
        run->verdict->literals, evaluation->check->value, false, NULL);
    evaluate_fail(evaluation, evaluation->check->value,
        "rows: expected %zu, actual %zu%s%s%s", expected, rows->count, text,
        rows->count > SHOWN ? "; ..." : "",
        rows->cancelled ? ": it was cancelled" : "");
}

void evaluate_rows(const struct evaluation *evaluation)
{
    const struct node *value = evaluation->check->value;
    const struct rows *rows = evaluation->outcome->rows;
    struct scope *scope = &evaluation->run->scope;
    struct row_evaluation row = {evaluation, rows, 0};
    size_t length;

    if (!evaluate_has_result(evaluation)) {
        return;
    }
    if (length_of(value) != NULL) {
        evaluate_number(
            evaluation, length_of(value), NT_ULONG64, rows->count, "len(rows)");
        return;
    }
    if (!value_length(scope, value, &length)) {
        evaluate_fail(evaluation, value, "rows: %s", scope_take_failure(scope));
        return;
    }
    evaluate_cites(evaluation);
    if (length != rows->count) {
        report_length(evaluation, rows, length);
        return;
    }
    for (; row.n < length; row.n++) {
        evaluate_row(&row, value_item(scope, value, row.n));
    }
    value_list_end(scope, value);
}
