/* value_layout.c - values one after another, each with its type, as bytes:
 * [{ULONG: 5}, {ULONG64: $x}]. */
#include "scenarios/runner/language/value_layout.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/structures.h"
#include "scenarios/runner/language/value_struct.h"

bool value_is_layout(const struct node *node)
{
    return node->kind == NODE_SEQUENCE && node->count > 0 &&
           node->item[0]->kind == NODE_MAPPING;
}

/* `bytes` more at the block's end, zeroed. */
static uint8_t *extend(void *context, struct value_block *block, size_t bytes)
{
    uint8_t *end;

    block->bytes = talloc_realloc(
        context, block->bytes, uint8_t, (unsigned)(block->size + bytes + 1));
    assert(block->bytes != NULL);
    end = block->bytes + block->size;
    memset(end, 0, bytes);
    block->size += bytes;
    block->count = block->size;
    return end;
}

static bool add_raw(struct scope *scope, void *context, const struct node *item,
    struct value_block *block)
{
    struct value_block raw;

    if (!value_block(scope, context, item, NT_UCHAR, true, &raw)) {
        return false;
    }
    memcpy(extend(context, block, raw.size), raw.bytes, raw.size);
    return true;
}

/* UTF-8, without a NUL. */
static bool add_text(struct scope *scope, void *context,
    const struct node *text, struct value_block *block)
{
    size_t length;

    if (text->kind != NODE_SCALAR || node_is_computed(text)) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, text, "expected a text");
        return false;
    }
    length = strlen(text->text);
    memcpy(extend(context, block, length), text->text, length);
    return true;
}

static bool add_typed(struct scope *scope, void *context,
    const struct entry *entry, struct value_block *block)
{
    const struct structure *own;
    enum nt_type type;
    size_t size;

    if (!structures_type(
            &scope->schema, scope->structures, entry->key, &own, &type)) {
        return false;
    }
    if (own != NULL) {
        return structure_write(
            scope, entry->value, own, extend(context, block, own->size));
    }
    return value_size(scope, entry->value, type, &size) &&
           value_write(scope, entry->value, type, extend(context, block, size));
}

bool value_layout_add(struct scope *scope, void *context,
    const struct node *item, struct value_block *block)
{
    if (item->kind != NODE_MAPPING || item->count != 1) {
        scope_error(scope, DIAGNOSTIC_WRONG_TYPE, item,
            "expected one of {TYPE: value}, {bytes: [..]}, {text: abc}");
        return false;
    }
    if (node_get(item, "bytes") != NULL) {
        return add_raw(scope, context, item, block);
    }
    if (node_get(item, "text") != NULL) {
        return add_text(scope, context, item->entry[0].value, block);
    }
    return add_typed(scope, context, &item->entry[0], block);
}

bool value_layout(struct scope *scope, void *context, const struct node *node,
    struct value_block *block)
{
    bool right = true;

    assert(value_is_layout(node));
    *block = (struct value_block){.state = BLOCK_GOOD};
    for (size_t i = 0; i < node->count; i++) {
        right &= value_layout_add(scope, context, node->item[i], block);
    }
    return right;
}

bool value_layout_read(struct scope *scope, void *context,
    const struct node *node, struct value_block *block)
{
    if (!value_is_layout(node)) {
        schema_error(&scope->schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected a list of values with their types, [{ULONG: 5}]");
        return false;
    }
    return value_layout(scope, context, node, block);
}
