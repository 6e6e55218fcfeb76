/* match.c - matchers in one table; a walk that checks or compares. */
#include "scenarios/runner/language/match.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/match_list.h"
#include "scenarios/runner/language/match_report.h"
#include "scenarios/runner/language/value.h"

static bool checks(const struct match *match)
{
    return scope_checks(match->scope);
}

static bool wrong(
    struct match *match, const struct node *node, const char *what)
{
    scope_error(match->scope, DIAGNOSTIC_WRONG_TYPE, node, "%s", what);
    return false;
}

static bool load(
    const struct match *match, const struct actual *actual, uint64_t *value)
{
    if (checks(match)) {
        *value = 0;
    } else {
        *value = nt_load(actual->at, nt_type_row(actual->type)->size);
    }
    return true;
}

static bool is_scalar(const struct actual *actual)
{
    return !actual->array && nt_type_row(actual->type)->kind != NT_KIND_STRUCT;
}

/* {not: x}: anything else. */
static bool match_not(
    struct match *match, const struct node *node, const struct actual *actual)
{
    struct match inner = *match;

    inner.report = NULL;
    inner.literals = NULL;
    if (!match_values(&inner, node_get(node, "not"), actual)) {
        /* A value that cannot be computed differs from nothing. */
        return !checks(match) && match->scope->failure == NULL;
    }
    return checks(match) || match_differ(match, node, actual);
}

/* {one_of: [x, y]} */
static bool match_one_of(
    struct match *match, const struct node *node, const struct actual *actual)
{
    const struct node *list = node_get(node, "one_of");
    bool right = true;

    if (list->kind != NODE_SEQUENCE || list->count == 0) {
        return wrong(match, list, "one_of wants a list, [a, b]");
    }
    for (size_t i = 0; i < list->count; i++) {
        struct match inner = *match;

        inner.report = NULL;
        inner.literals = NULL;
        if (!match_values(&inner, list->item[i], actual)) {
            right = false;
        } else if (!checks(match)) {
            return true;
        }
        if (match->scope->failure != NULL) {
            return false;
        }
    }
    return checks(match) ? right : match_differ(match, node, actual);
}

/* {min: a, max: b}, or one of them. */
static bool match_range(
    struct match *match, const struct node *node, const struct actual *actual)
{
    const struct node *min = node_get(node, "min");
    const struct node *max = node_get(node, "max");
    uint64_t value, low = 0, high = UINT64_MAX;

    if (!is_scalar(actual)) {
        return wrong(match, node, "min and max are for numbers");
    }
    if ((min != NULL && !value_scalar(match->scope, min, actual->type, &low)) ||
        (max != NULL &&
            !value_scalar(match->scope, max, actual->type, &high))) {
        return false;
    }
    if (low > high) {
        return wrong(match, node, "min is above max");
    }
    load(match, actual, &value);
    return checks(match) || (value >= low && value <= high) ||
           match_differ(match, node, actual);
}

/* {bits: {set: a, clear: b}} */
static bool match_bits(
    struct match *match, const struct node *node, const struct actual *actual)
{
    const struct node *bits = node_get(node, "bits");
    uint64_t value, mask[2] = {0, 0};

    if (!is_scalar(actual) || bits->kind != NODE_MAPPING) {
        return wrong(match, node, "bits is written as {set: 0x1, clear: 0x2}");
    }
    for (size_t i = 0; i < bits->count; i++) {
        bool set = strcmp(bits->entry[i].key->text, "set") == 0;

        if (!set && strcmp(bits->entry[i].key->text, "clear") != 0) {
            return wrong(match, bits->entry[i].key, "expected set or clear");
        }
        if (!value_scalar(
                match->scope, bits->entry[i].value, actual->type, &mask[set])) {
            return false;
        }
    }
    load(match, actual, &value);
    return checks(match) ||
           ((value & mask[1]) == mask[1] && (value & mask[0]) == 0) ||
           match_differ(match, node, actual);
}

/* {len: n}, n itself a matcher. */
static bool match_length(
    struct match *match, const struct node *node, const struct actual *actual)
{
    struct match inner = *match;

    if (!actual->array) {
        return wrong(match, node, "len is for lists");
    }
    inner.report = NULL;
    inner.literals = NULL;
    if (match_number(
            &inner, node_get(node, "len"), NT_ULONG64, actual->count)) {
        return true;
    }
    return checks(match) ? false : match_differ(match, node, actual);
}

static const struct matcher {
    const char *key;
    bool (*match)(struct match *match, const struct node *node,
        const struct actual *actual);
} matchers[] = {
#define MATCHER(key, function, ...) {key, match_##function},
#include "scenarios/runner/language/matchers.def"
};

static const struct matcher *find_matcher(const struct node *node)
{
    for (size_t i = 0; node->kind == NODE_MAPPING && node->count > 0 &&
                       i < sizeof(matchers) / sizeof(matchers[0]);
         i++) {
        if (strcmp(matchers[i].key, node->entry[0].key->text) == 0) {
            return &matchers[i];
        }
    }
    return NULL;
}

/* Nothing stands beside a matcher's key; only min and max go together. */
static bool stands_alone(struct match *match, const struct node *node)
{
    bool range = find_matcher(node)->match == match_range;

    for (size_t i = 1; i < node->count; i++) {
        const struct node *key = node->entry[i].key;

        if (!range ||
            (strcmp(key->text, "min") != 0 && strcmp(key->text, "max") != 0)) {
            scope_error(match->scope, DIAGNOSTIC_UNKNOWN_KEY, key,
                "'%s' has no place beside '%s'", key->text,
                node->entry[0].key->text);
            return false;
        }
    }
    return true;
}

/* No byte of the block has been written. */
static bool match_unchanged(
    struct match *match, const struct node *node, const struct actual *actual)
{
    if (!actual->block) {
        return wrong(match, node, "only an output can be unchanged");
    }
    for (size_t i = 0; !checks(match) && i < actual->block_size; i++) {
        if (actual->at[i] != actual->before[i] && match->report == NULL) {
            match->place = node;
            match->report = talloc_asprintf(match->context,
                "byte %zu of %zu was written, actual %s", i, actual->block_size,
                match_show(match, actual));
        }
    }
    return match->report == NULL;
}

/* Only the members that are named; of a union the named one. */
static bool match_members(
    struct match *match, const struct node *node, const struct actual *actual)
{
    const char *path = match->path;
    bool right = true;

    for (size_t i = 0; i < node->count; i++) {
        const char *name = node->entry[i].key->text;
        const struct nt_member *member = nt_type_member(actual->type, name);
        struct actual part;

        if (member == NULL || member->line != NT_LINE_MEMBER) {
            scope_error(match->scope, DIAGNOSTIC_UNKNOWN_KEY,
                node->entry[i].key, "no member '%s' in %s", name,
                nt_type_row(actual->type)->name);
            right = false;
            continue;
        }
        part = (struct actual){.type = member->type,
            .at = actual->at == NULL ? NULL : actual->at + member->offset,
            .count = member->length,
            .array = member->length > 1};
        if (!checks(match)) {
            match->path = talloc_asprintf(
                match->context, "%s.%s", path == NULL ? "" : path, name);
        }
        right &= match_values(match, node->entry[i].value, &part);
    }
    match->path = path;
    return right;
}

static bool no_such_matcher(struct match *match, const struct node *key)
{
    struct suggestion suggestion = suggest_for(key->text);

    scope_error(match->scope, DIAGNOSTIC_UNKNOWN_KEY, key,
        "no matcher '%s' for this value", key->text);
    for (size_t i = 0; i < sizeof(matchers) / sizeof(matchers[0]); i++) {
        suggest_offer(&suggestion, matchers[i].key);
    }
    scope_suggest(match->scope, &suggestion);
    return false;
}

static bool match_scalar(
    struct match *match, const struct node *node, const struct actual *actual)
{
    uint64_t expected, value;

    if (actual->array) {
        return wrong(match, node, "expected a list, [a, b], or a matcher");
    }
    if (node->kind == NODE_MAPPING && node->count > 0) {
        return no_such_matcher(match, node->entry[0].key);
    }
    if (nt_type_row(actual->type)->kind == NT_KIND_STRUCT) {
        return wrong(match, node, "expected members, {Member: value}");
    }
    if (!value_scalar(match->scope, node, actual->type, &expected)) {
        return false;
    }
    load(match, actual, &value);
    if (checks(match)) {
        return true;
    }
    literals_note_number(match->literals, node, actual->type,
        match->scope->arch, value, value == expected);
    return value == expected || match_differ(match, node, actual);
}

/* {Member: value}, which compares nothing by itself. */
static bool is_members(const struct node *node, const struct actual *actual)
{
    return node->kind == NODE_MAPPING && find_matcher(node) == NULL &&
           !value_is_list(node) && !actual->array &&
           nt_type_row(actual->type)->kind == NT_KIND_STRUCT;
}

/* What is no value cannot be written anew. */
static bool note_matcher(
    struct match *match, const struct node *node, bool right)
{
    if (!right) {
        literals_note(match->literals, node, false, NULL);
    }
    return right;
}

bool match_values(
    struct match *match, const struct node *node, const struct actual *actual)
{
    const struct matcher *matcher = find_matcher(node);

    if (node_is_word(node, "any")) {
        return true;
    }
    if (is_members(node, actual)) {
        return match_members(match, node, actual);
    }
    match->can_fail |= !match_cannot_fail(node);
    if (node_is_word(node, "unchanged")) {
        return note_matcher(match, node, match_unchanged(match, node, actual));
    }
    if (matcher != NULL) {
        return note_matcher(match, node,
            stands_alone(match, node) && matcher->match(match, node, actual));
    }
    if (value_is_list(node)) {
        return match_list(match, node, actual);
    }
    return match_scalar(match, node, actual);
}

bool match_number(struct match *match, const struct node *node,
    enum nt_type type, uint64_t number)
{
    uint8_t bytes[8];
    const struct actual actual = {.type = type, .at = bytes, .count = 1};

    nt_store(bytes, sizeof(bytes), number);
    return match_values(match, node, &actual);
}
