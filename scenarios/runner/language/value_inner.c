/* value_inner.c - what a value points to: blocks behind the pointers inside of
 * structures, and the characters of counted texts, each with a guarded place of
 * its own in the guest's memory. */
#include "scenarios/runner/language/value_inner.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>
#include <unistr.h>

#include "api/text/utf8.h"
#include "scenarios/runner/language/block.h"
#include "scenarios/runner/language/value.h"

/* Counted texts: Length, MaximumLength and Buffer, and bytes a character. */
static const struct text_row {
    enum nt_type type;
    size_t unit;
} text_rows[] = {{NT_UNICODE_STRING, 2}, {NT_STRING, 1}};

static const struct text_row *find_text(enum nt_type type)
{
    for (size_t i = 0; i < sizeof(text_rows) / sizeof(text_rows[0]); i++) {
        if (text_rows[i].type == type) {
            return &text_rows[i];
        }
    }
    return NULL;
}

static bool place(struct scope *scope, const struct node *node,
    const struct value_block *block, uint64_t *address)
{
    uint8_t *at;

    *address = block->address;
    if (block->is_address || scope->memory == NULL) {
        return true;
    }
    at = block_place(scope->memory, block);
    if (at == NULL) {
        scope_error(scope, DIAGNOSTIC_LIMIT, node,
            "the scenario has used up the guest's memory");
        return false;
    }
    *address = (uint64_t)(uintptr_t)at;
    return true;
}

static bool is_block(const struct node *node)
{
    static const char *const keys[] = {"at", "buffer", "bytes", "but"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (node->kind == NODE_MAPPING && node_get(node, keys[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool value_pointer(
    struct scope *scope, const struct node *node, uint64_t *address)
{
    struct value_block block;
    void *context;
    bool right;

    *address = 0;
    if (node->kind == NODE_SCALAR) {
        return value_scalar(scope, node, NT_PVOID, address);
    }
    if (!is_block(node)) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
            "what a pointer inside of a structure points to is {bytes: [..]}, "
            "{buffer: bytes}, {at: address} or null");
        return false;
    }
    context = talloc_new(NULL);
    assert(context != NULL);
    right = value_block(scope, context, node, NT_UCHAR, true, &block) &&
            place(scope, node, &block, address);
    talloc_free(context);
    return right;
}

bool value_pointee(
    struct scope *scope, const struct node *node, struct pointee *pointee)
{
    struct value_block block;
    void *context;
    bool right;

    if (node_is_computed(node)) {
        return value_scalar(scope, node, NT_PVOID, &pointee->address);
    }
    context = talloc_new(NULL);
    assert(context != NULL);
    right = value_block(
                scope, context, node, pointee->type, pointee->array, &block) &&
            place(scope, node, &block, &pointee->address);
    if (right) {
        pointee->counted = !block.is_address || block.address == 0;
        pointee->count = block.size / nt_type_row(pointee->type)->size;
    }
    talloc_free(context);
    return right;
}

bool value_inner_is_string(enum nt_type type)
{
    return find_text(type) != NULL;
}

bool value_is_text(const struct node *node, enum nt_type type)
{
    return find_text(type) != NULL && node->kind == NODE_SCALAR &&
           !node_is_computed(node) && !node_is_word(node, "null");
}

static void append(struct value_block *block, size_t unit, uint32_t character)
{
    nt_store(block->bytes + block->size, unit, character);
    block->size += unit;
}

/* UTF-16, low byte first. */
static void append_wide(struct value_block *block, uint32_t character)
{
    uint16_t units[2];
    int count = u16_uctomb(units, character, 2);

    assert(count > 0); /* a file is right UTF-8 */
    for (int i = 0; i < count; i++) {
        append(block, sizeof(units[i]), units[i]);
    }
}

/* The characters, in `block->bytes`, which has room for them. */
static bool encode(struct scope *scope, const struct node *node, size_t unit,
    struct value_block *block)
{
    size_t length = strlen(node->text);

    for (size_t at = 0; at < length;) {
        uint32_t character;

        at += utf8_decode(node->text + at, length - at, &character);
        if (unit == 2) {
            append_wide(block, character);
            continue;
        }
        if (character > 0x7F) {
            scope_error(scope, DIAGNOSTIC_WRONG_TYPE, node,
                "a text of bytes has ASCII characters only; write its fields "
                "with {bytes: [..]}");
            return false;
        }
        append(block, 1, character);
    }
    if (block->size > VALUE_TEXT_BYTES) {
        scope_error(scope, DIAGNOSTIC_LIMIT, node,
            "a counted text has at most %d bytes, and this has %zu",
            VALUE_TEXT_BYTES, block->size);
        return false;
    }
    return true;
}

static void store(
    enum nt_type type, uint8_t *at, const char *name, uint64_t value)
{
    const struct nt_member *member = nt_type_member(type, name);

    assert(member != NULL);
    nt_store(at + member->offset, nt_type_row(member->type)->size, value);
}

bool value_write_text(struct scope *scope, const struct node *node,
    enum nt_type type, uint8_t *at)
{
    size_t unit = find_text(type)->unit;
    struct value_block block = {.state = BLOCK_GOOD};
    uint64_t address;
    bool right;

    /* A character takes no more than two bytes for each of its UTF-8. */
    block.bytes =
        talloc_array(NULL, uint8_t, (unsigned)(2 * strlen(node->text) + 1));
    assert(block.bytes != NULL);
    right = encode(scope, node, unit, &block) &&
            place(scope, node, &block, &address);
    if (right) {
        store(type, at, "Length", block.size);
        store(type, at, "MaximumLength", block.size);
        store(type, at, "Buffer", address);
    }
    talloc_free(block.bytes);
    return right;
}

bool value_is_characters(const struct node *node, enum nt_type type)
{
    return (type == NT_CHAR || type == NT_WCHAR) && node->kind == NODE_SCALAR &&
           !node_is_computed(node);
}

bool value_characters(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, struct value_block *block)
{
    size_t unit = nt_type_row(type)->size;

    /* A character takes no more than two bytes for each of its UTF-8. */
    block->bytes = talloc_zero_array(
        context, uint8_t, (unsigned)(2 * strlen(node->text) + 2));
    assert(block->bytes != NULL);
    if (!encode(scope, node, unit, block)) {
        return false;
    }
    block->size += unit; /* the NUL */
    block->count = block->size / unit;
    return true;
}
