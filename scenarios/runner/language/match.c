/* match.c - expected values: the matchers, in one table (matchers.def), checked
 * before a run or compared with what is there, and a difference as text. */
#include "scenarios/runner/language/match.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "api/core/kernel.h"
#include "api/core/show.h"
#include "scenarios/runner/language/bit_names.h"
#include "scenarios/runner/language/duration.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/yaml/plain_word.h"

/* The base that numbers are written in, 10 or 16, in the first that there is;
 * 0: there is none. */
static unsigned base_written(const struct node *node)
{
    unsigned base = 0;

    if (node->kind == NODE_SCALAR) {
        bool digit = node->text[0] >= '0' && node->text[0] <= '9';

        return node->quoted || !digit ? 0 : strchr(node->text, 'x') ? 16 : 10;
    }
    for (size_t i = 0; i < node->count && base == 0; i++) {
        base = base_written(
            node->kind == NODE_SEQUENCE ? node->item[i] : node->entry[i].value);
    }
    return base;
}

static bool is_number(enum nt_type type)
{
    const enum nt_kind kind = nt_type_row(type)->kind;

    return kind == NT_KIND_UNSIGNED || kind == NT_KIND_HEX;
}

/* A value as the kernel's trace shows it, with what it points to; child of the
 * match's context. */
static const char *show_in_kernel(
    struct match *match, enum nt_type type, const uint8_t *at)
{
    struct facts *facts = match->scope->facts;
    char text[SHOW_VALUE_BYTES] = "";

    if (!facts_heard(facts)) {
        show_value(kernel_current(), type, at, text, sizeof(text));
    }
    return talloc_strdup(match->context, facts_text(facts, text));
}

/* One value in the base of what was expected. */
static const char *show_one(
    struct match *match, enum nt_type type, const uint8_t *at, unsigned base)
{
    if (base == 0 || !is_number(type)) {
        return show_in_kernel(match, type, at);
    }
    return talloc_asprintf(match->context,
        base == 16 ? "0x%" PRIX64 : "%" PRIu64,
        nt_load(at, nt_type_row(type)->size));
}

/* The values as text, child of the match's context. */
static char *show_actual(
    struct match *match, const struct actual *actual, unsigned base)
{
    const struct nt_type_row *row = nt_type_row(actual->type);
    size_t element = row->size;
    size_t most = row->kind == NT_KIND_STRUCT ? 4 : 16;
    char *text = talloc_strdup(match->context, actual->array ? "[" : "");

    for (size_t i = 0; i < actual->count && i < most; i++) {
        text = talloc_asprintf_append_buffer(text, "%s%s", i == 0 ? "" : ", ",
            show_one(match, actual->type, actual->at + i * element, base));
    }
    if (actual->count > most) {
        text = talloc_asprintf_append_buffer(
            text, ", ... %zu in all", actual->count);
    }
    return talloc_strdup_append_buffer(text, actual->array ? "]" : "");
}

/* The expectation as it is written; of a variable also its value. */
static char *show_expected(
    struct match *match, const struct node *node, const struct actual *actual)
{
    char *text = node_show(match->context, node);
    enum nt_kind kind = nt_type_row(actual->type)->kind;
    uint8_t bytes[8];
    uint64_t number;

    if (node->kind != NODE_SCALAR || node->quoted ||
        (node->text[0] != '$' && !duration_is(node)) ||
        kind == NT_KIND_STRUCT ||
        !value_scalar(match->scope, node, actual->type, &number)) {
        return text;
    }
    if (duration_is(node)) {
        return talloc_asprintf_append_buffer(text, " (%" PRIu64 ")", number);
    }
    nt_store(bytes, sizeof(bytes), number);
    return talloc_asprintf_append_buffer(
        text, " (%s)", show_in_kernel(match, actual->type, bytes));
}

/* ", they differ in bit 20 (INT)", where bits were meant: of a register whose
 * bits have names, or by {bits: ..}. */
static const char *show_bits(
    struct match *match, const struct node *node, const struct actual *actual)
{
    const struct node *bits =
        node->kind == NODE_MAPPING ? node_get(node, "bits") : NULL;
    uint64_t value, wrong = 0, number;

    if (actual->array || !is_number(actual->type)) {
        return "";
    }
    value = nt_load(actual->at, nt_type_row(actual->type)->size);
    for (size_t i = 0; bits != NULL && i < bits->count; i++) {
        bool set = strcmp(bits->entry[i].key->text, "set") == 0;

        if (value_scalar(
                match->scope, bits->entry[i].value, actual->type, &number)) {
            wrong |= (set ? ~value : value) & number;
        }
    }
    if (node->kind == NODE_SCALAR && bit_names_has(actual->bits_of) &&
        plain_word_number(node->text, &number)) {
        wrong = value ^ number;
    }
    return wrong == 0
               ? ""
               : talloc_asprintf(match->context, ", they differ in %s",
                     bit_names_show(match->context, actual->bits_of, wrong));
}

/* Notes the first difference: what was expected, what was there, where. Returns
 * false. */
static bool match_differ(
    struct match *match, const struct node *node, const struct actual *actual)
{
    if (match->report == NULL) {
        match->place = node;
        match->where = match->path;
        match->report = talloc_asprintf(match->context,
            "expected %s, actual %s%s", show_expected(match, node, actual),
            show_actual(match, actual, base_written(node)),
            show_bits(match, node, actual));
    }
    return false;
}

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

static uint64_t load(const struct actual *actual)
{
    return nt_load(actual->at, nt_type_row(actual->type)->size);
}

static bool is_scalar(const struct actual *actual)
{
    return !actual->array && nt_type_row(actual->type)->kind != NT_KIND_STRUCT;
}

static bool has_length(
    struct match *match, const struct node *node, const struct actual *actual)
{
    size_t length;

    return value_length(match->scope, node, &length) && length == actual->count;
}

/* Every element of a list; the lengths are equal. */
static bool match_elements(
    struct match *match, const struct node *node, const struct actual *actual)
{
    size_t element = nt_type_row(actual->type)->size;
    bool in_repeat = match->scope->in_repeat;
    uint64_t repeat_index = match->scope->repeat_index;
    const char *path = match->path;
    bool right = true;
    size_t length;

    if (!actual->array) {
        scope_error(match->scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected one value, not a list");
        return false;
    }
    if (!value_length(match->scope, node, &length)) {
        return false;
    }
    if (!scope_checks(match->scope) && length != actual->count) {
        return match_differ(match, node, actual);
    }
    for (size_t i = 0; i < length; i++) {
        const struct actual one = {.type = actual->type,
            .at = actual->at == NULL ? NULL : actual->at + i * element,
            .count = 1,
            .block = actual->block,
            .block_size = element,
            .before =
                actual->before == NULL ? NULL : actual->before + i * element};

        if (!scope_checks(match->scope)) {
            match->path = talloc_asprintf(
                match->context, "%s[%zu]", path == NULL ? "" : path, i);
        }
        right &= match_values(match, value_item(match->scope, node, i), &one);
    }
    match->path = path;
    value_list_end(match->scope, node);
    /* $i is the outer repeat's again. */
    match->scope->in_repeat = in_repeat;
    match->scope->repeat_index = repeat_index;
    return right;
}

/* As match_values(). Of a list of plain values the comparison is noted as one,
 * because such a list can be written anew as a whole. */
static bool match_list(
    struct match *match, const struct node *node, const struct actual *actual)
{
    struct literals *literals = match->literals;
    bool right;

    if (literals == NULL) {
        return match_elements(match, node, actual);
    }
    if (literal_is_list(node, actual)) {
        match->literals = NULL;
        right = match_elements(match, node, actual);
        match->literals = literals;
        literals_note_list(literals, node, actual, match->scope->arch, right);
        return right;
    }
    right = match_elements(match, node, actual);
    if (!right && !has_length(match, node, actual)) {
        literals_note(literals, node, false, NULL);
    }
    return right;
}

/* {not: x}: anything else. */
static bool match_not(
    struct match *match, const struct node *node, const struct actual *actual)
{
    struct match inner = *match;

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
    if (checks(match)) {
        return true;
    }
    value = load(actual);
    return (value >= low && value <= high) || match_differ(match, node, actual);
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
    if (checks(match)) {
        return true;
    }
    value = load(actual);
    return ((value & mask[1]) == mask[1] && (value & mask[0]) == 0) ||
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

static void note_written(struct match *match, const struct node *node,
    const struct actual *actual, size_t first)
{
    if (match->report == NULL) {
        match->place = node;
        match->report = talloc_asprintf(match->context,
            "byte %zu of %zu was written, actual %s", first, actual->block_size,
            show_actual(match, actual, 0));
    }
}

/* No byte of the block has been written. */
static bool match_unchanged(
    struct match *match, const struct node *node, const struct actual *actual)
{
    if (!actual->block) {
        return wrong(match, node, "only an output can be unchanged");
    }
    for (size_t i = 0; !checks(match) && i < actual->block_size; i++) {
        if (actual->at[i] != actual->before[i]) {
            note_written(match, node, actual, i);
            return false;
        }
    }
    return true;
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
    if (checks(match)) {
        return true;
    }
    value = load(actual);
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
    match->can_fail = match->can_fail || !match_accepts_all(match->scope, node,
                                             match_domain_of(match->scope,
                                                 actual->type, actual->array));
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

void match_check(struct scope *scope, void *context, const struct node *node,
    enum nt_type type)
{
    struct match match = {.scope = scope, .context = context};
    const struct actual actual = {.type = type, .count = 1};

    if (node != NULL) {
        match_values(&match, node, &actual);
    }
}
