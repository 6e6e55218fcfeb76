/* rows.c - expect rows: the instances that a consumer was given. */
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/counters/counter_scope.h"
#include "scenarios/runner/counters/row_path.h"
#include "scenarios/runner/counters/rows.h"
#include "scenarios/runner/language/event_field.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/text/figure_text.h"

/* Names and figures are texts. */
static const struct trace_field text_field = {
    .name = "text", .name_length = 4, .conversion = 's'};

static void check_name(struct reader *reader, const struct node *node)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};

    if (!match_refuse_idle(&reader->scope, node,
            match_domain_of(&reader->scope, NT_VOID, false))) {
        event_field_match(&match, node, &text_field, NULL);
    }
}

/* What {not: x} and {one_of: [x, y]} hold; NULL for anything else. */
static const struct node *inside(const struct node *matcher, const char *key)
{
    return matcher->kind == NODE_MAPPING && matcher->count == 1
               ? node_get(matcher, key)
               : NULL;
}

static bool says_none(const struct node *matcher)
{
    const struct node *not = inside(matcher, "not");
    const struct node *one_of = inside(matcher, "one_of");
    bool says =
        node_is_word(matcher, "none") || (not != NULL && says_none(not ));

    for (size_t i = 0; one_of != NULL && one_of->kind == NODE_SEQUENCE &&
                       i < one_of->count && !says;
         i++) {
        says = says_none(one_of->item[i]);
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
    if (!says_none(node)) {
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
        if (!match_refuse_idle(&reader->scope, entry->value,
                match_domain_of(
                    &reader->scope, figures ? NT_VOID : NT_ULONG64, false))) {
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

/* Whether what is expected of a row can be there, as far as that is known
 * before anything runs. */
static void check_row(
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
    if (id != NULL && !match_refuse_idle(&reader->scope, id,
                          match_domain_of(&reader->scope, NT_ULONG, false))) {
        match_check(&reader->scope, reader->scenario, id, NT_ULONG);
    }
    if (values != NULL && check_counters(reader, step, values)) {
        check_each(reader, step, values, false);
    }
    if (shown != NULL && check_counters(reader, step, shown)) {
        check_shown(reader, step, shown);
    }
}

/* {len: n} */
static const struct node *length_of(const struct node *value)
{
    return value->kind == NODE_MAPPING && value->count == 1
               ? node_get(value, "len")
               : NULL;
}

static void read_rows(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;
    size_t length = 0;

    if (step->collection == NULL) {
        read_checks_no_result(reader, step, key, "a collect has");
        return;
    }
    if (length_of(value) != NULL) {
        if (!match_refuse_idle(&reader->scope, value,
                match_domain_of(&reader->scope, NT_ULONG64, true))) {
            match_check(
                &reader->scope, reader->scenario, length_of(value), NT_ULONG64);
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

/* A difference; `actual` is what would have to stand there (--update); NULL:
 * nothing that can be written. */
static void note_difference(const struct row_evaluation *row,
    const struct node *node, const char *actual)
{
    struct literals *literals = row->evaluation->run->verdict->literals;

    literals_note(literals, node, false, actual);
    if (literals != NULL && actual != NULL && node->kind == NODE_SCALAR) {
        literals->failures++;
    }
}

/* A name, or a figure, which --update can write. */
static void evaluate_text(const struct row_evaluation *row,
    const struct node *node, const char *actual, bool figure, const char *what)
{
    struct run *run = row->evaluation->run;
    const struct field_value value = {.text = actual};
    struct match match = {.scope = &run->scope, .context = run->context};

    if (event_field_match(&match, node, &text_field, &value)) {
        literals_note(run->verdict->literals, node, true, NULL);
        evaluate_cites(row->evaluation);
        return;
    }
    scope_take_failure(&run->scope);
    note_difference(row, node, figure ? actual : NULL);
    evaluate_fail(row->evaluation, node, "%s: expected %s, actual %s", what,
        node_show(run->context, node), actual);
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

/* The same as a matcher of numbers, with none among them. */
static bool value_meets(const struct row_evaluation *row,
    const struct node *node, const struct row_value *value)
{
    struct run *run = row->evaluation->run;
    struct match match = {.scope = &run->scope, .context = run->context};
    const struct node *inner;

    if (node_is_word(node, "none")) {
        return value == NULL;
    }
    if (!says_none(node)) {
        return value != NULL &&
               match_number(&match, node, NT_ULONG64, value->value);
    }
    inner = node_get(node, "not");
    if (inner != NULL) {
        return !value_meets(row, inner, value);
    }
    inner = node_get(node, "one_of");
    for (size_t i = 0; i < inner->count; i++) {
        if (value_meets(row, inner->item[i], value)) {
            return true;
        }
    }
    return false;
}

static void evaluate_none(const struct row_evaluation *row,
    const struct entry *entry, const struct row_value *value)
{
    struct run *run = row->evaluation->run;
    bool met = value_meets(row, entry->value, value);
    const char *failure = scope_take_failure(&run->scope);
    const char *name = part_name(row, "values.%s", entry->key->text);
    const char *actual =
        value == NULL ? "none"
                      : talloc_asprintf(run->context, "%" PRIu64, value->value);

    if (failure != NULL) {
        evaluate_fail(row->evaluation, entry->value, "%s: %s", name, failure);
        return;
    }
    if (met) {
        literals_note(run->verdict->literals, entry->value, true, NULL);
        evaluate_cites(row->evaluation);
        return;
    }
    note_difference(row, entry->value, actual);
    evaluate_fail(row->evaluation, entry->value, "%s: expected %s, actual %s",
        name, node_show(run->context, entry->value), actual);
}

/* What was expected of a value, and why it may be wrong. */
static const char *value_name(const struct row_evaluation *row, const char *key,
    const char *name, const struct row_value *value)
{
    const struct manifest_set *set = row->rows->set;
    const char *part = part_name(row, "%s.%s", key, name);

    return value == NULL || row_value_agrees(set, value)
               ? part
               : talloc_asprintf(row->evaluation->run->context, "%s (%s)", part,
                     row_value_width_text(
                         row->evaluation->run->context, set, value));
}

static void evaluate_value(
    const struct row_evaluation *row, const struct entry *entry)
{
    const char *name = entry->key->text;
    const struct row_value *value = find_value(row, name);

    if (says_none(entry->value)) {
        evaluate_none(row, entry, value);
        return;
    }
    if (value == NULL) {
        note_difference(row, entry->value, "none");
        evaluate_fail(row->evaluation, entry->key, "%s: %s",
            part_name(row, "values.%s", name),
            row_path_why_no_value(row->rows,
                row->evaluation->outcome->step->collection->asked, name));
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
        value == NULL || value->shown == NULL ? "none" : value->shown, true,
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
        evaluate_text(row, name, actual->name, false, part_name(row, "name"));
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

static void evaluate_rows(const struct evaluation *evaluation)
{
    const struct node *value = evaluation->check->value;
    struct run *run = evaluation->run;
    struct scope *scope = &run->scope;
    const struct rows *rows;
    struct row_evaluation row;
    size_t length;

    if (!evaluate_has_result(evaluation)) {
        return;
    }
    rows = rows_exchange(run->context, scope->facts, &run->scenario->manifests,
        evaluation->outcome->rows);
    row = (struct row_evaluation){evaluation, rows, 0};
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

const struct check_code check_rows = {
    .read = read_rows,
    .evaluate = evaluate_rows,
};
