/* value.c - values of NT types as a scenario writes them: scalars, lists and
 * blocks, checked before a run and computed in it. */
#include "scenarios/runner/language/value.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/profile.h"
#include "scenarios/runner/language/block.h"
#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/duration.h"
#include "scenarios/runner/language/value_inner.h"
#include "scenarios/runner/language/value_struct.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/base/bits.h"

/* A number that would do, were the type larger. */
static bool report_large(
    struct scope *scope, const struct node *node, enum nt_type type)
{
    const struct nt_type_row *row = nt_type_row(type);
    uint64_t most = bits_low(8u * row->size), large;

    if (node->quoted || row->kind == NT_KIND_CALLBACK ||
        !plain_word_number(node->text, &large)) {
        return false;
    }
    scope_error(scope, DIAGNOSTIC_OUT_OF_RANGE, node,
        "%s is too large for a %s", node->text, row->name);
    if (scope_checks(scope)) {
        diagnostics_hint(scope->schema.diagnostics,
            "it has %u bits: at most 0x%" PRIX64 ", which is %" PRIu64,
            8u * (unsigned)row->size, most, most);
    }
    return true;
}

/* The name of what is read as $name. */
static bool names_variable(const struct scope *scope, const struct node *node)
{
    return scope_variable(scope, node->text) != NULL ||
           scope_callback(scope, node->text) != NULL ||
           (scope->statics != NULL &&
               statics_find(scope->statics, node->text) != NULL);
}

static void report_scalar(
    struct scope *scope, const struct node *node, enum nt_type type)
{
    const char *name = nt_type_row(type)->name;
    struct suggestion suggestion = suggest_for(node->text);
    bool number =
        (node->text[0] >= '0' && node->text[0] <= '9') || node->text[0] == '-';
    bool status = nt_type_row(type)->kind == NT_KIND_STATUS;
    bool word = !node->quoted && !number;
    const char *hint = node->quoted && !node_quotes_computed(node)
                           ? NULL
                           : plain_word_hint(scope->schema.diagnostics, node);

    if (report_large(scope, node, type)) {
        return;
    }
    scope_error(scope, word ? DIAGNOSTIC_UNKNOWN_NAME : DIAGNOSTIC_WRONG_TYPE,
        node, word && status ? "unknown status '%s'" : "'%s' is not a %s",
        node->text, name);
    if (!scope_checks(scope)) {
        return;
    }
    if (nt_type_row(type)->kind == NT_KIND_CALLBACK) {
        diagnostics_hint(scope->schema.diagnostics,
            "write $name of one of the callbacks, or null");
    } else if (hint != NULL) {
        diagnostics_hint(scope->schema.diagnostics, "%s", hint);
    } else if (node->quoted) {
        diagnostics_hint(scope->schema.diagnostics,
            "a text in quotes is never a %s; leave them out", name);
    } else if (node->text[0] == '-') {
        diagnostics_hint(
            scope->schema.diagnostics, "a %s has no such negative value", name);
    } else if (names_variable(scope, node)) {
        diagnostics_hint(scope->schema.diagnostics,
            "write $%s, which is the variable", node->text);
    } else if (number) {
        diagnostics_hint(scope->schema.diagnostics,
            "decimal without leading zeros or _, or 0x...");
    } else {
        constant_suggest(&suggestion, type);
        scope_suggest(scope, &suggestion);
    }
}

static bool allows_null(enum nt_type type)
{
    enum nt_kind kind = nt_type_row(type)->kind;

    return kind == NT_KIND_HANDLE || kind == NT_KIND_POINTER ||
           kind == NT_KIND_CALLBACK;
}

/* A number, where the type has numbers: not a callback, which must be code. */
static bool scalar_number(
    const struct node *node, enum nt_type type, uint64_t *value)
{
    const struct nt_type_row *row = nt_type_row(type);

    if (node->text[0] == '-' && row->kind == NT_KIND_SIGNED &&
        plain_word_number(node->text + 1, value)) {
        uint64_t most = bit(8u * row->size - 1);
        bool right = *value <= most;

        *value = (0 - *value) & bits_low(8u * row->size);
        return right;
    }
    return row->kind != NT_KIND_CALLBACK &&
           plain_word_number(node->text, value) &&
           *value <= bits_low(8u * row->size);
}

/* A level that the architecture does not have, and another has. */
static bool is_level_elsewhere(
    struct scope *scope, const struct node *node, enum nt_type type)
{
    uint64_t value;

    for (enum arch arch = 0; arch < ARCH_COUNT && !node->quoted; arch++) {
        if (nt_type_row(type)->kind == NT_KIND_IRQL &&
            constant_find(node->text, type, arch, &value)) {
            scope_error(scope, DIAGNOSTIC_IMPOSSIBLE, node, "%s has no %s",
                arch_rows[scope->arch].name, node->text);
            return true;
        }
    }
    return false;
}

/* A time, where one can stand. */
static bool scalar_duration(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value)
{
    void *context = scope->schema.diagnostics;
    char *why;

    if (!duration_is(node)) {
        scope_error(
            scope, DIAGNOSTIC_WRONG_TYPE, node, "'%s' is no time", node->text);
        if (scope_checks(scope)) {
            diagnostics_hint(
                scope->schema.diagnostics, "%s", duration_hint(node));
        }
        return false;
    }
    why = duration_count(context, node, scope->per_us, value);
    if (why == NULL && *value > bits_low(8u * nt_type_row(type)->size)) {
        why = talloc_asprintf(context, "%s is too large for a %s", node->text,
            nt_type_row(type)->name);
    }
    if (why != NULL) {
        scope_error(scope, DIAGNOSTIC_OUT_OF_RANGE, node, "%s", why);
    }
    return why == NULL;
}

bool value_scalar(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value)
{
    assert(nt_type_row(type)->kind != NT_KIND_STRUCT);
    *value = 0;
    if (node->kind != NODE_SCALAR) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected one value of type %s", nt_type_row(type)->name);
        return false;
    }
    if (!node->quoted && node->text[0] == '$') {
        return scope_lookup(scope, node, type, value);
    }
    if (node_is_word(node, "null") && allows_null(type)) {
        return true;
    }
    if (!node->quoted && scalar_number(node, type, value)) {
        return true;
    }
    if (scope->per_us != 0 && (duration_is(node) || duration_is_meant(node))) {
        return scalar_duration(scope, node, type, value);
    }
    if (!node->quoted && constant_find(node->text, type, scope->arch, value)) {
        return true;
    }
    if (is_level_elsewhere(scope, node, type)) {
        return false;
    }
    report_scalar(scope, node, type);
    return false;
}

bool value_is_list(const struct node *node)
{
    return node->kind == NODE_SEQUENCE ||
           (node->kind == NODE_MAPPING && node_get(node, "repeat") != NULL);
}

bool value_length(struct scope *scope, const struct node *node, size_t *length)
{
    const struct node *repeat;
    uint64_t count;

    assert(value_is_list(node));
    *length = node->count;
    if (node->kind == NODE_SEQUENCE) {
        return true;
    }
    repeat = node_get(node, "repeat");
    if (node->count != 2 || node_get(node, "item") == NULL) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "repeat is written as {repeat: count, item: value}");
        return false;
    }
    if (!value_scalar(scope, repeat, NT_ULONG, &count)) {
        return false;
    }
    if (count > VALUE_REPEAT) {
        scope_error(scope, DIAGNOSTIC_LIMIT, repeat, "more than %d elements",
            VALUE_REPEAT);
        return false;
    }
    *length = count;
    return true;
}

const struct node *value_item(
    struct scope *scope, const struct node *node, size_t n)
{
    if (node->kind == NODE_SEQUENCE) {
        assert(n < node->count);
        return node->item[n];
    }
    scope->in_repeat = true;
    scope->repeat_index = n;
    return node_get(node, "item");
}

void value_list_end(struct scope *scope, const struct node *node)
{
    if (node->kind == NODE_MAPPING) {
        scope->in_repeat = false;
    }
}

/* Elements of an array, one after another. While checking, one element of a
 * repeat stands for all. */
static bool block_list(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, struct value_block *block)
{
    size_t element = nt_type_row(type)->size;
    bool right = true;
    size_t checked;

    if (!value_length(scope, node, &block->count)) {
        return false;
    }
    block->size = block->count * element;
    block->bytes =
        talloc_zero_array(context, uint8_t, (unsigned)block->size + 1);
    checked =
        scope_checks(scope) && node->kind == NODE_MAPPING && block->count > 1
            ? 1
            : block->count;
    for (size_t i = 0; i < checked; i++) {
        right &= value_write(scope, value_item(scope, node, i), type,
            block->bytes + i * element);
    }
    value_list_end(scope, node);
    return right;
}

static bool block_raw(struct scope *scope, void *context,
    const struct node *list, struct value_block *block)
{
    bool right = true;

    if (!schema_sequence(&scope->schema, list)) {
        return false;
    }
    block->size = block->count = list->count;
    block->bytes = talloc_zero_array(context, uint8_t, (unsigned)block->size);
    for (size_t i = 0; i < list->count; i++) {
        uint64_t byte;

        right &= value_scalar(scope, list->item[i], NT_UCHAR, &byte);
        block->bytes[i] = (uint8_t)byte;
    }
    return right;
}

static bool block_buffer(struct scope *scope, void *context,
    const struct node *elements, enum nt_type type, struct value_block *block)
{
    uint64_t count;

    if (!value_scalar(scope, elements, NT_ULONG, &count)) {
        return false;
    }
    if (count > VALUE_REPEAT) {
        scope_error(scope, DIAGNOSTIC_LIMIT, elements, "more than %d elements",
            VALUE_REPEAT);
        return false;
    }
    block->count = count;
    block->size = count * nt_type_row(type)->size;
    block->bytes =
        talloc_zero_array(context, uint8_t, (unsigned)block->size + 1);
    memset(block->bytes, VALUE_FILL, block->size);
    return true;
}

/* A structure, or one value for a pointer to a scalar. */
static bool block_single(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, struct value_block *block)
{
    if (value_is_characters(node, type)) {
        return value_characters(scope, context, node, type, block);
    }
    block->count = 1;
    if (!value_size(scope, node, type, &block->size)) {
        return false;
    }
    block->bytes =
        talloc_zero_array(context, uint8_t, (unsigned)block->size + 1);
    return value_write(scope, node, type, block->bytes);
}

/* {at: address}, {buffer: n}, {bytes: [..]} */
static bool block_special(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, struct value_block *block)
{
    const struct node *special = node->entry[0].value;

    if (node_get(node, "at") != NULL) {
        block->is_address = true;
        return value_scalar(scope, special, NT_ULONG_PTR, &block->address);
    }
    if (node_get(node, "buffer") != NULL) {
        return block_buffer(scope, context, special, type, block);
    }
    return block_raw(scope, context, special, block);
}

static bool is_special(const struct node *node)
{
    return node->kind == NODE_MAPPING && node->count == 1 &&
           (node_get(node, "at") != NULL || node_get(node, "buffer") != NULL ||
               node_get(node, "bytes") != NULL);
}

/* {value: .., but: state} */
static bool block_but(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, bool array,
    struct value_block *block)
{
    const struct node *value = node_get(node, "value");
    enum block_state state;

    if (node->count != 2 || value == NULL) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "but is written as {value: block, but: short}");
        return false;
    }
    if (!block_read_state(scope, node_get(node, "but"), &state) ||
        !value_block(scope, context, value, type, array, block)) {
        return false;
    }
    if (block->is_address ||
        (state == BLOCK_SHORT && block->size == 0 && !scope_checks(scope))) {
        scope_error(scope, DIAGNOSTIC_NO_EFFECT, value,
            "only a block with bytes can be bad in a way of its own");
        return false;
    }
    block->state = state;
    return true;
}

/* $name of a memory block, or of a pointer that a step has saved. */
static bool is_address_name(const struct scope *scope, const struct node *node)
{
    const struct variable *variable;

    if (!node_is_computed(node) || node->text[1] == '(') {
        return false;
    }
    variable = scope_variable(scope, node->text + 1);
    return variable != NULL &&
           nt_type_row(variable->type)->kind == NT_KIND_POINTER;
}

bool value_block(struct scope *scope, void *context, const struct node *node,
    enum nt_type type, bool array, struct value_block *block)
{
    *block = (struct value_block){0};
    if (node_is_word(node, "null")) {
        block->is_address = true;
        return true;
    }
    if (is_address_name(scope, node)) {
        block->is_address = true;
        return value_scalar(scope, node, NT_ULONG_PTR, &block->address);
    }
    if (node->kind == NODE_MAPPING && node_get(node, "but") != NULL) {
        return block_but(scope, context, node, type, array, block);
    }
    if (value_is_list(node)) {
        if (array) {
            return block_list(scope, context, node, type, block);
        }
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected one %s, not a list", nt_type_row(type)->name);
        return false;
    }
    if (is_special(node)) {
        return block_special(scope, context, node, type, block);
    }
    return block_single(scope, context, node, type, block);
}

bool value_bytes(struct scope *scope, void *context, const struct node *node,
    struct value_block *block)
{
    if (!value_is_list(node)) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected a list of bytes, [0x1, 0x2], or {repeat: n, item: 0}");
        return false;
    }
    return value_block(scope, context, node, NT_UCHAR, true, block);
}
