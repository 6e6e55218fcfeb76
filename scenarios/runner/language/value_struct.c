/* value_struct.c - structures and unions as a scenario writes them, by the
 * lines of their descriptions in types.def. */
#include "scenarios/runner/language/value_struct.h"

#include <assert.h>
#include <string.h>

#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_inner.h"

/* A run of lines: all of a structure, or what lies inside of a union. */
struct lines {
    enum nt_type owner; /* the structure */
    const struct nt_member *first;
    size_t count;
};

static const struct nt_member *lines_find(struct lines lines, const char *name)
{
    for (size_t i = 0; i < lines.count; i += nt_member_step(&lines.first[i])) {
        if (name[0] != '\0' && strcmp(lines.first[i].name, name) == 0) {
            return &lines.first[i];
        }
    }
    return NULL;
}

/* CounterIndex without the union u that it lies in. */
static bool hint_union(
    struct scope *scope, struct lines lines, const struct node *key)
{
    for (size_t i = 0; i < lines.count; i += nt_member_step(&lines.first[i])) {
        const struct nt_member *line = &lines.first[i];
        const struct lines inside = {
            lines.owner, line + 1, nt_member_lines(line) - 2};

        if (line->line != NT_LINE_MEMBER && line->name[0] != '\0' &&
            lines_find(inside, key->text) != NULL && scope_checks(scope)) {
            diagnostics_hint(scope->schema.diagnostics,
                "it lies in '%s': write %s: {%s: value}", line->name,
                line->name, key->text);
            return true;
        }
    }
    return false;
}

static void report_member(
    struct scope *scope, struct lines lines, const struct node *key)
{
    struct suggestion suggestion = suggest_for(key->text);

    scope_error(
        scope, DIAGNOSTIC_UNKNOWN_KEY, key, "no member '%s' here", key->text);
    for (size_t i = 0; i < lines.count; i += nt_member_step(&lines.first[i])) {
        if (!nt_member_is_overlay(&lines.first[i])) {
            suggest_offer(&suggestion, lines.first[i].name);
        }
    }
    if (!hint_union(scope, lines, key)) {
        scope_suggest(scope, &suggestion);
    }
}

static bool write_lines(struct scope *scope, const struct node *node,
    struct lines lines, uint8_t *at);

/* An array inside of a structure: as many elements as are written. */
static bool write_array(struct scope *scope, const struct node *node,
    const struct nt_member *member, uint8_t *at)
{
    size_t element = nt_type_row(member->type)->size;
    bool in_repeat = scope->in_repeat;
    uint64_t repeat_index = scope->repeat_index;
    bool right = true;
    size_t length;

    if (!value_is_list(node)) {
        scope_error(
            scope, DIAGNOSTIC_WRONG_TYPE, node, "expected a list, [a, b]");
        return false;
    }
    if (!value_length(scope, node, &length)) {
        return false;
    }
    if (member->count_member == NULL && length > member->length) {
        scope_error(scope, DIAGNOSTIC_OUT_OF_RANGE, node,
            "'%s' has only %u element%s", member->name,
            (unsigned)member->length, member->length == 1 ? "" : "s");
        return false;
    }
    if (scope_checks(scope) && node->kind == NODE_MAPPING && length > 1) {
        length = 1; /* one element of a repeat stands for all */
    }
    for (size_t i = 0; i < length; i++) {
        right &= value_write(
            scope, value_item(scope, node, i), member->type, at + i * element);
    }
    value_list_end(scope, node);
    /* $i is the outer repeat's again. */
    scope->in_repeat = in_repeat;
    scope->repeat_index = repeat_index;
    return right;
}

static bool write_union(struct scope *scope, const struct node *node,
    enum nt_type owner, const struct nt_member *line, uint8_t *at)
{
    struct lines inside = {owner, line + 1, nt_member_lines(line) - 2};

    if (line->line == NT_LINE_UNION && node->kind == NODE_MAPPING &&
        node->count != 1) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "name exactly one member of the union '%s'", line->name);
        return false;
    }
    return write_lines(scope, node, inside, at);
}

/* A pointer with what it points to. How many that are is the true number where
 * the structure, `node`, does not write it. */
static bool write_pointer(struct scope *scope, const struct node *node,
    const struct node *value, enum nt_type owner, const struct nt_member *line,
    uint8_t *at)
{
    const struct nt_member *count = nt_member_count(owner, line);
    struct pointee pointee = {.type = line->pointee, .array = count != NULL};

    if (!value_pointee(scope, value, &pointee)) {
        return false;
    }
    nt_store(at + line->offset, nt_type_row(line->type)->size, pointee.address);
    if (count == NULL || node_get(node, count->name) != NULL) {
        return true;
    }
    if (!pointee.counted) {
        scope_error(scope, DIAGNOSTIC_MISSING_KEY, value,
            "how many there are at this address is not known; write '%s'",
            count->name);
        return false;
    }
    nt_store(at + count->offset, nt_type_row(count->type)->size, pointee.count);
    return true;
}

static bool write_member(struct scope *scope, const struct node *node,
    const struct node *value, enum nt_type owner, const struct nt_member *line,
    uint8_t *at)
{
    if (line->line != NT_LINE_MEMBER) {
        return write_union(scope, value, owner, line, at);
    }
    if (line->length > 1 || line->count_member != NULL) {
        return write_array(scope, value, line, at + line->offset);
    }
    if (line->pointee != NT_VOID) {
        return write_pointer(scope, node, value, owner, line, at);
    }
    return value_write(scope, value, line->type, at + line->offset);
}

/* The line that begins the overlay which a line lies in; NULL: it lies in none.
 */
static const struct nt_member *overlay_of(
    struct lines lines, const struct nt_member *line)
{
    const struct nt_member *overlay = NULL;

    for (size_t i = 0; &lines.first[i] != line;
         i += nt_member_step(&lines.first[i])) {
        if (nt_member_is_overlay(&lines.first[i])) {
            overlay = overlay == NULL ? &lines.first[i] : NULL;
        }
    }
    return overlay;
}

static bool write_lines(struct scope *scope, const struct node *node,
    struct lines lines, uint8_t *at)
{
    const struct nt_member *overlay = NULL;
    bool right = true;

    if (node->kind != NODE_MAPPING) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected a structure, {Member: value}");
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct entry *entry = &node->entry[i];
        const struct nt_member *line = lines_find(lines, entry->key->text);
        const struct nt_member *in =
            line == NULL ? NULL : overlay_of(lines, line);

        if (line == NULL) {
            report_member(scope, lines, entry->key);
            right = false;
        } else if (in != NULL && in == overlay) {
            scope_error(scope, DIAGNOSTIC_WRONG_TYPE, entry->key,
                "'%s' lies over a member that is written already",
                entry->key->text);
            right = false;
        } else {
            right &=
                write_member(scope, node, entry->value, lines.owner, line, at);
            overlay = in != NULL ? in : overlay;
        }
    }
    return right;
}

/* A length that is left out is the true one; written, it may lie. */
static bool write_length(struct scope *scope, const struct node *node,
    enum nt_type type, uint8_t *at)
{
    const struct nt_member *tail = nt_type_tail(type);
    const struct nt_member *count;
    const struct node *items;
    size_t length = 0;

    if (tail == NULL || node->kind != NODE_MAPPING ||
        node_get(node, tail->count_member) != NULL) {
        return true;
    }
    items = node_get(node, tail->name);
    if (items != NULL && value_is_list(items) &&
        !value_length(scope, items, &length)) {
        return false;
    }
    count = nt_type_member(type, tail->count_member);
    assert(count != NULL);
    nt_store(at + count->offset, nt_type_row(count->type)->size, length);
    return true;
}

bool value_size(struct scope *scope, const struct node *node, enum nt_type type,
    size_t *size)
{
    const struct nt_type_row *row = nt_type_row(type);
    const struct nt_member *tail;
    const struct node *items;
    size_t length = 0;

    *size = row->size;
    if (row->kind != NT_KIND_STRUCT || node->kind != NODE_MAPPING) {
        return true;
    }
    tail = nt_type_tail(type);
    if (tail == NULL) {
        return true;
    }
    items = node_get(node, tail->name);
    if (items != NULL && value_is_list(items) &&
        !value_length(scope, items, &length)) {
        return false;
    }
    *size = tail->offset + length * nt_type_row(tail->type)->size;
    return true;
}

bool value_write(struct scope *scope, const struct node *node,
    enum nt_type type, uint8_t *at)
{
    const struct nt_type_row *row = nt_type_row(type);
    struct lines lines = {type, row->member, row->member_count};
    uint64_t value;

    if (value_is_text(node, type)) {
        return value_write_text(scope, node, type, at);
    }
    if (row->kind == NT_KIND_STRUCT) {
        bool right = write_length(scope, node, type, at);

        return write_lines(scope, node, lines, at) && right;
    }
    if (row->kind == NT_KIND_POINTER
            ? !value_pointer(scope, node, &value)
            : !value_scalar(scope, node, type, &value)) {
        return false;
    }
    nt_store(at, row->size, value);
    return true;
}
