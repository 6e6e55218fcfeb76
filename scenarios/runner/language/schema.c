/* schema.c - a file's nodes against the language: which keys a mapping has
 * (keys.def), and values of the simplest types. What is wrong is reported. */
#include "scenarios/runner/language/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/yaml/plain_word.h"

void schema_error(const struct schema *schema, enum diagnostic_code code,
    const struct node *node, const char *format, ...)
{
    const struct node *at = node->from != NULL ? node->from : node;
    va_list arguments;
    char *message;

    va_start(arguments, format);
    message = talloc_vasprintf(schema->diagnostics, format, arguments);
    va_end(arguments);
    diagnostics_add(schema->diagnostics, code, at->source, at->mark, at->width,
        "%s", message);
    talloc_free(message);
    if (at != node) {
        diagnostics_add(schema->diagnostics, DIAGNOSTIC_NOTE, node->source,
            node->mark, node->width, "used here");
    }
}

void schema_suggest(
    const struct schema *schema, const struct suggestion *suggestion)
{
    char *list;

    if (suggestion->nearest != NULL) {
        diagnostics_hint(
            schema->diagnostics, "did you mean '%s'?", suggestion->nearest);
        return;
    }
    if (suggestion->count == 0 || suggestion->count > SUGGEST_LISTED) {
        return;
    }
    list = talloc_strdup(schema->diagnostics, suggestion->offered[0]);
    for (size_t i = 1; i < suggestion->count; i++) {
        list =
            talloc_asprintf_append_buffer(list, ", %s", suggestion->offered[i]);
    }
    diagnostics_hint(schema->diagnostics, "there is: %s", list);
    talloc_free(list);
}

bool schema_has_key(enum mapping mapping, const char *key)
{
    return key_find(mapping, key) != NULL;
}

/* The keys of a mapping, for the error about a wrong one. */
static void hint_keys(
    const struct schema *schema, enum mapping mapping, const char *wrong)
{
    const struct key_rows_of rows = key_rows_of(mapping);
    struct suggestion suggestion = suggest_for(wrong);

    for (size_t i = 0; i < rows.count; i++) {
        if (rows.first[i].presence != REFUSED) {
            suggest_offer(&suggestion, rows.first[i].key);
        }
    }
    schema_suggest(schema, &suggestion);
}

static void check_key(
    const struct schema *schema, const struct node *key, enum mapping mapping)
{
    const struct key_row *row = key_find(mapping, key->text);

    if (row == NULL) {
        schema_error(
            schema, DIAGNOSTIC_UNKNOWN_KEY, key, "unknown key '%s'", key->text);
        hint_keys(schema, mapping, key->text);
    } else if (row->presence == REFUSED) {
        schema_error(schema, DIAGNOSTIC_NOT_MODELLED, key,
            "'%s' is not supported by this version", key->text);
        diagnostics_hint(schema->diagnostics, "see docs/fidelity.md");
    }
}

/* cpus:2 is one word. */
static void hint_colon(const struct schema *schema, const struct node *node)
{
    const char *colon = node->kind == NODE_SCALAR && !node->quoted
                            ? strchr(node->text, ':')
                            : NULL;

    if (colon != NULL && colon > node->text && colon[1] != '\0') {
        diagnostics_hint(schema->diagnostics,
            "write '%.*s: %s', with a blank behind the colon",
            (int)(colon - node->text), node->text, colon + 1);
    }
}

/* Whether an unknown key, which was reported, is near to one that is missing.
 */
static bool is_misspelt(
    const struct node *node, enum mapping mapping, const char *missing)
{
    for (size_t i = 0; i < node->count; i++) {
        const char *key = node->entry[i].key->text;
        struct suggestion suggestion;

        if (key_find(mapping, key) != NULL) {
            continue;
        }
        suggestion = suggest_for(key);
        suggest_offer(&suggestion, missing);
        if (suggestion.nearest != NULL) {
            return true;
        }
    }
    return false;
}

bool schema_mapping(const struct schema *schema, const struct node *node,
    enum mapping mapping, const struct node *owner)
{
    const struct key_rows_of rows = key_rows_of(mapping);

    if (node->kind != NODE_MAPPING) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected a mapping, {key: value}");
        hint_colon(schema, node);
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        check_key(schema, node->entry[i].key, mapping);
    }
    for (size_t i = 0; i < rows.count; i++) {
        const struct key_row *row = &rows.first[i];

        if (row->presence == REQUIRED && node_get(node, row->key) == NULL &&
            !is_misspelt(node, mapping, row->key)) {
            schema_error(schema, DIAGNOSTIC_MISSING_KEY, owner,
                "missing key '%s'", row->key);
            diagnostics_hint(
                schema->diagnostics, "%s: %s", row->key, row->help);
        }
    }
    return true;
}

/* What the mapping should have had, for the error that it has nothing. */
static void hint_kinds(const struct schema *schema, enum mapping mapping)
{
    const struct key_rows_of rows = key_rows_of(mapping);
    char *list = talloc_strdup(schema->diagnostics, "");

    for (size_t i = 0; i < rows.count; i++) {
        if (rows.first[i].presence == KIND) {
            list = talloc_asprintf_append_buffer(
                list, "%s%s", list[0] == '\0' ? "" : ", ", rows.first[i].key);
        }
    }
    diagnostics_hint(schema->diagnostics, "write one of: %s", list);
    talloc_free(list);
}

/* Whether an error was already reported for a key in the kind's place. */
static bool has_wrong_key(const struct node *node, enum mapping mapping)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct key_row *row = key_find(mapping, node->entry[i].key->text);

        if (row == NULL || row->presence == REFUSED) {
            return true;
        }
    }
    return false;
}

const struct node *schema_kind(const struct schema *schema,
    const struct node *node, enum mapping mapping, bool none_allowed)
{
    const struct node *kind = NULL;

    for (size_t i = 0; i < node->count; i++) {
        const struct node *key = node->entry[i].key;
        const struct key_row *row = key_find(mapping, key->text);

        if (row == NULL || row->presence != KIND) {
            continue;
        }
        if (kind != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, key,
                "'%s' and '%s' exclude each other", kind->text, key->text);
            return NULL;
        }
        kind = key;
    }
    if (kind == NULL && !none_allowed && !has_wrong_key(node, mapping)) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, node,
            "nothing here says what it is");
        hint_kinds(schema, mapping);
    }
    return kind;
}

bool schema_sequence(const struct schema *schema, const struct node *node)
{
    if (node->kind != NODE_SEQUENCE) {
        schema_error(
            schema, DIAGNOSTIC_WRONG_TYPE, node, "expected a list, [a, b]");
        if (node->kind == NODE_MAPPING) {
            diagnostics_hint(schema->diagnostics, "begin every item with '- '");
        } else if (!node->quoted) {
            diagnostics_hint(schema->diagnostics, "write [%s]", node->text);
        }
        return false;
    }
    if (node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node, "an empty list");
        return false;
    }
    return true;
}

bool schema_number(const struct schema *schema, const struct node *node,
    uint64_t low, uint64_t high, uint64_t *number)
{
    uint64_t value;
    const char *hint;

    if (node->kind != NODE_SCALAR || node->quoted ||
        !plain_word_number(node->text, &value)) {
        if (node->kind == NODE_SCALAR && node->text[0] == '$') {
            schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
                "no variable can stand here, only a number");
            return false;
        }
        schema_error(
            schema, DIAGNOSTIC_WRONG_TYPE, node, "expected a whole number");
        hint = plain_word_hint(schema->diagnostics, node);
        diagnostics_hint(schema->diagnostics, "%s",
            hint != NULL ? hint
                         : "decimal without leading zeros, or 0x and "
                           "hexadecimal digits, without quotes");
        return false;
    }
    if (value < low || value > high) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "%s is not from %" PRIu64 " to %" PRIu64, node->text, low, high);
        return false;
    }
    *number = value;
    return true;
}

bool schema_key_number(const struct schema *schema, enum mapping mapping,
    const char *key, const struct node *node, uint64_t *number)
{
    const struct key_row *row = key_find(mapping, key);

    assert(row != NULL && row->form->shape == SHAPE_NUMBER);
    return schema_number(schema, node, row->form->low, row->form->high, number);
}

bool schema_bool(
    const struct schema *schema, const struct node *node, bool *value)
{
    if (node_is_word(node, "true") || node_is_word(node, "false")) {
        *value = node->text[0] == 't';
        return true;
    }
    schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node, "expected true or false");
    diagnostics_hint(schema->diagnostics, "%s", plain_word_truth(node));
    return false;
}

bool schema_text(
    const struct schema *schema, const struct node *node, const char **text)
{
    if (node->kind != NODE_SCALAR || node->text[0] == '\0') {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node, "expected a text");
        return false;
    }
    *text = node->text;
    return true;
}

bool schema_name(const struct schema *schema, const struct node *node,
    const char *what, schema_nth *nth, const void *context, size_t *index)
{
    struct suggestion suggestion;
    const char *name;
    char *text;

    for (size_t i = 0; (name = nth(i, context)) != NULL; i++) {
        if (node_is_word(node, name)) {
            *index = i;
            return true;
        }
    }
    suggestion = suggest_for(node->kind == NODE_SCALAR ? node->text : "");
    for (size_t i = 0; (name = nth(i, context)) != NULL; i++) {
        suggest_offer(&suggestion, name);
    }
    text = node_show(schema->diagnostics, node);
    schema_error(
        schema, DIAGNOSTIC_UNKNOWN_NAME, node, "unknown %s '%s'", what, text);
    schema_suggest(schema, &suggestion);
    talloc_free(text);
    return false;
}

/* a, b or c */
static char *list_words(void *context, const char *const *words)
{
    char *list = talloc_strdup(context, words[0]);

    for (size_t i = 1; words[i] != NULL; i++) {
        list = talloc_asprintf_append_buffer(
            list, "%s%s", words[i + 1] == NULL ? " or " : ", ", words[i]);
    }
    return list;
}

bool schema_key_word(const struct schema *schema, enum mapping mapping,
    const char *key, const struct node *node, size_t *index)
{
    const struct key_row *row = key_find(mapping, key);
    char *list;

    assert(row != NULL && row->form->shape == SHAPE_WORDS);
    for (size_t i = 0; row->form->words[i] != NULL; i++) {
        if (node_is_word(node, row->form->words[i])) {
            *index = i;
            return true;
        }
    }
    list = list_words(schema->diagnostics, row->form->words);
    schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node, "expected %s", list);
    talloc_free(list);
    return false;
}
