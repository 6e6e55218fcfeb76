/* read_names.c - params, cases, matrix: names whose values make instances
 * differ; skip and xfail. */
#include "scenarios/runner/scenario/read_names.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/form.h"
#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/language/type_name.h"

/* A lower-case name that nothing else has. */
static bool add_name(struct outline *outline, const struct node *key)
{
    const struct schema *schema = &outline->library->schema;

    if (!scope_is_variable_name(key->text) || strcmp(key->text, "os") == 0 ||
        strcmp(key->text, "arch") == 0) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, key,
            "'%s' is not a parameter's name", key->text);
        diagnostics_hint(schema->diagnostics,
            "a lower-case letter, then letters, digits and _; not i, os, arch");
        return false;
    }
    for (size_t i = 0; i < outline->name_count; i++) {
        if (strcmp(outline->name[i].name, key->text) == 0) {
            const struct node *first = outline->name[i].defined;

            schema_error(schema, DIAGNOSTIC_CONFLICT, key,
                "'%s' stands twice among params, cases and matrix", key->text);
            diagnostics_add(schema->diagnostics, DIAGNOSTIC_NOTE, first->source,
                first->mark, first->width, "first set here");
            return false;
        }
    }
    if (outline->name_count == OUTLINE_NAMES) {
        schema_error(schema, DIAGNOSTIC_LIMIT, key,
            "more than %d parameters, columns and axes", OUTLINE_NAMES);
        return false;
    }
    outline->name = talloc_realloc(
        outline, outline->name, struct static_name, OUTLINE_NAMES);
    outline->name[outline->name_count++] =
        (struct static_name){.name = key->text, .defined = key};
    return true;
}

/* Whether it is $name of a memory block or a callback, which all instances
 * have. */
static bool is_defined(const struct node *root, const struct node *node)
{
    static const char *const keys[] = {"memory", "callbacks"};
    bool found = false;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const struct node *names = node_get(root, keys[i]);

        found |= names != NULL && names->kind == NODE_MAPPING &&
                 node_get(names, node->text + 1) != NULL;
    }
    return found;
}

/* Values stand for themselves; in a file, not on the command line (`root` is
 * NULL there), also for addresses of what it defines. */
static bool check_plain(const struct schema *schema, const struct node *root,
    const struct node *node)
{
    bool right = true;

    if (node_is_computed(node) && (root == NULL || !is_defined(root, node))) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "a parameter's value is written out");
        diagnostics_hint(
            schema->diagnostics, "compute with it where it is used: $( )");
        return false;
    }
    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count; i++) {
        right &= check_plain(schema, root,
            node->kind == NODE_SEQUENCE ? node->item[i] : node->entry[i].value);
    }
    return right;
}

static const struct node *given_value(
    const struct outline *outline, const char *name)
{
    for (size_t i = 0; i < outline->library->given_count; i++) {
        struct given *given = &outline->library->given[i];

        if (strcmp(given->name, name) == 0) {
            given->used = true;
            return given->value;
        }
    }
    return NULL;
}

const struct node *read_params_value(const struct outline *outline, size_t n)
{
    const char *name = outline->name[n].name;
    const struct node *params = node_get(outline->root, "params");
    const struct node *given = given_value(outline, name);

    return given != NULL ? given : node_get(node_get(params, name), "default");
}

static void check_param(struct outline *outline, const struct entry *entry)
{
    const struct schema *schema = &outline->library->schema;
    const struct node *value, *given;
    enum nt_type type;

    if (!schema_mapping(schema, entry->value, MAPPING_PARAM, entry->key)) {
        return;
    }
    if (node_get(entry->value, "type") != NULL) {
        read_type(schema, node_get(entry->value, "type"), &type);
    }
    value = node_get(entry->value, "default");
    given = given_value(outline, entry->key->text);
    if (given != NULL) {
        check_plain(schema, NULL, given);
    }
    if (value == NULL && given == NULL) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, entry->key,
            "parameter '%s' has no value", entry->key->text);
        diagnostics_hint(schema->diagnostics,
            "give it a default, or run with -D %s=VALUE", entry->key->text);
    }
    if (value != NULL) {
        check_plain(schema, NULL, value);
    }
}

void read_params(struct outline *outline)
{
    const struct schema *schema = &outline->library->schema;
    const struct node *params = node_get(outline->root, "params");
    size_t before = diagnostics_errors(schema->diagnostics);

    if (params == NULL) {
        return;
    }
    if (params->kind != NODE_MAPPING || params->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, params,
            "expected {name: {type: ULONG, default: 1}}");
        return;
    }
    for (size_t i = 0; i < params->count; i++) {
        check_param(outline, &params->entry[i]);
        add_name(outline, params->entry[i].key);
    }
    if (diagnostics_errors(schema->diagnostics) != before) {
        outline->name_count = 0; /* reported; nothing can be made of them */
    }
    outline->param_count = outline->name_count;
}

static void hint_columns(
    const struct schema *schema, const struct node *row, const char *wrong)
{
    struct suggestion suggestion = suggest_for(wrong);

    for (size_t i = 0; i < row->count; i++) {
        suggest_offer(&suggestion, row->entry[i].key->text);
    }
    schema_suggest(schema, &suggestion);
}

/* The same columns in each row as in the first. */
static bool check_row(const struct schema *schema, const struct node *root,
    const struct entry *first, const struct entry *row)
{
    bool right = true;

    if (row->value->kind != NODE_MAPPING || row->value->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, row->value,
            "expected a row, {column: value}");
        return false;
    }
    if (strspn(row->key->text, LETTERS_ROW) != strlen(row->key->text)) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, row->key,
            "'%s' is not a row's name", row->key->text);
        diagnostics_hint(
            schema->diagnostics, "lower-case letters, digits and _");
        right = false;
    }
    right &= check_plain(schema, root, row->value);
    for (size_t i = 0; i < row->value->count; i++) {
        const struct node *key = row->value->entry[i].key;

        if (node_get(first->value, key->text) == NULL) {
            schema_error(schema, DIAGNOSTIC_UNKNOWN_KEY, key,
                "the first row has no column '%s'", key->text);
            hint_columns(schema, first->value, key->text);
            right = false;
        }
    }
    /* What is missing may be what is misspelt. */
    for (size_t i = 0; i < first->value->count && right; i++) {
        const char *column = first->value->entry[i].key->text;

        if (node_get(row->value, column) == NULL) {
            schema_error(schema, DIAGNOSTIC_MISSING_KEY, row->key,
                "row '%s' has no column '%s'", row->key->text, column);
            diagnostics_hint(schema->diagnostics,
                "row '%s' has it, and all rows have the same: write %s: value",
                first->key->text, column);
            right = false;
        }
    }
    return right;
}

void read_cases(struct outline *outline)
{
    const struct schema *schema = &outline->library->schema;
    const struct node *cases = node_get(outline->root, "cases");
    bool right = true;

    if (cases == NULL) {
        return;
    }
    if (cases->kind != NODE_MAPPING || cases->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, cases,
            "expected {row: {column: value}}");
        return;
    }
    for (size_t i = 0; i < cases->count; i++) {
        right &= check_row(
            schema, outline->root, &cases->entry[0], &cases->entry[i]);
        if (i == 0 && !right) {
            return; /* the others are compared with it */
        }
    }
    for (size_t i = 0; right && i < cases->entry[0].value->count; i++) {
        right &= add_name(outline, cases->entry[0].value->entry[i].key);
    }
    if (!right) {
        outline->name_count = outline->param_count;
        return;
    }
    outline->column_count = outline->name_count - outline->param_count;
    outline->cases = cases;
}

/* Values of an axis are part of the ids. */
static bool check_axis(const struct outline *outline, const struct entry *entry)
{
    const struct schema *schema = &outline->library->schema;

    if (!schema_sequence(schema, entry->value)) {
        return false;
    }
    if (entry->value->count > OUTLINE_INSTANCES) {
        schema_error(schema, DIAGNOSTIC_LIMIT, entry->key,
            "more than %d instances", OUTLINE_INSTANCES);
        return false;
    }
    for (size_t i = 0; i < entry->value->count; i++) {
        const struct node *value = entry->value->item[i];

        if (value->kind != NODE_SCALAR || value->text[0] == '\0' ||
            strspn(value->text, LETTERS_AXIS) != strlen(value->text)) {
            schema_error(schema, DIAGNOSTIC_WRONG_TYPE, value,
                "a value of an axis is one word or number");
            diagnostics_hint(schema->diagnostics,
                "letters, digits, _ . and -; cases take other values");
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            if (strcmp(entry->value->item[k]->text, value->text) == 0) {
                schema_error(schema, DIAGNOSTIC_CONFLICT, value,
                    "'%s' stands twice in this axis", value->text);
                break;
            }
        }
    }
    return true;
}

static bool add_axis(struct outline *outline, const struct entry *entry)
{
    const struct schema *schema = &outline->library->schema;
    const struct node *machine = node_get(outline->root, "machine");
    const char *name = entry->key->text;
    bool is_machine_key = schema_has_key(MAPPING_MACHINE, name);

    if (strcmp(name, "pmu") == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, entry->key,
            "'pmu' is no single value");
        diagnostics_hint(schema->diagnostics,
            "write an axis for one of its keys, and pmu: {general: $name} in "
            "machine");
        return false;
    }
    if (strcmp(name, "msrs") == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, entry->key,
            "'msrs' is no single value");
        diagnostics_hint(schema->diagnostics,
            "write an axis for one of its values, and msrs: {0x19C: $name} in "
            "machine");
        return false;
    }
    if (is_machine_key && machine != NULL && machine->kind == NODE_MAPPING &&
        node_get(machine, name) != NULL) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, entry->key,
            "'%s' stands in machine and in matrix", name);
        diagnostics_hint(
            schema->diagnostics, "the axis sets it: leave it out of machine");
        return false;
    }
    if (!check_axis(outline, entry)) {
        return false;
    }
    if (outline->name_count < OUTLINE_NAMES &&
        (strcmp(name, "os") == 0 || strcmp(name, "arch") == 0)) {
        outline->name = talloc_realloc(
            outline, outline->name, struct static_name, OUTLINE_NAMES);
        outline->name[outline->name_count++] = (struct static_name){
            .name = name, .defined = entry->key, .used = true};
    } else if (!add_name(outline, entry->key)) {
        return false;
    }
    outline->axis[outline->axis_count++] =
        (struct axis){entry->key, entry->value, is_machine_key};
    return true;
}

void read_matrix(struct outline *outline)
{
    const struct schema *schema = &outline->library->schema;
    const struct node *matrix = node_get(outline->root, "matrix");
    size_t names = outline->name_count;
    bool right = true;

    if (matrix == NULL) {
        return;
    }
    if (matrix->kind != NODE_MAPPING || matrix->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, matrix,
            "expected axes, {os: [WIN8, WIN11]}");
        return;
    }
    outline->axis =
        talloc_zero_array(outline, struct axis, (unsigned)matrix->count);
    for (size_t i = 0; i < matrix->count; i++) {
        right &= add_axis(outline, &matrix->entry[i]);
    }
    if (!right) {
        outline->axis_count = 0;
        outline->name_count = names;
    }
}

bool read_verdict_key(
    const struct schema *schema, const struct node *node, enum mapping mapping)
{
    static const char *const texts[] = {"reason", "issue"};
    size_t before = diagnostics_errors(schema->diagnostics);
    const struct node *result;
    const char *text;
    size_t word;

    if (!schema_mapping(schema, node, mapping, node)) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        if (node_get(node, texts[i]) != NULL) {
            schema_text(schema, node_get(node, texts[i]), &text);
        }
    }
    result = node_get(node, "result");
    if (result != NULL && schema_has_key(mapping, "result")) {
        schema_key_word(schema, mapping, "result", result, &word);
    }
    return diagnostics_errors(schema->diagnostics) == before;
}
