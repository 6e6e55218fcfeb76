/* block.c - the block that a call is given, placed in the guest's memory as it
 * should be, or in one of the ways that drivers get wrong (block_states.def).
 */
#include "scenarios/runner/language/block.h"

#include <string.h>

const char *name_of_block_state(size_t n, const void *context)
{
    static const char *const names[] = {
#define BLOCK_STATE(name, word) word,
#include "scenarios/runner/language/block_states.def"
    };

    (void)context;
    return n < BLOCK_STATE_COUNT - 1 ? names[n] : NULL;
}

bool block_read_state(
    struct scope *scope, const struct node *node, enum block_state *state)
{
    struct suggestion suggestion =
        suggest_for(node->kind == NODE_SCALAR ? node->text : "");
    const char *name;

    for (size_t i = 0; (name = name_of_block_state(i, NULL)) != NULL; i++) {
        if (node_is_word(node, name)) {
            *state = (enum block_state)(i + 1);
            return true;
        }
        suggest_offer(&suggestion, name);
    }
    scope_error(scope, DIAGNOSTIC_UNKNOWN_NAME, node, "unknown state '%s'",
        node->kind == NODE_SCALAR ? node->text : "");
    scope_suggest(scope, &suggestion);
    return false;
}

bool block_is_there(const struct value_block *block)
{
    return block->state != BLOCK_FREED && block->state != BLOCK_UNMAPPED;
}

/* The end of the region, which is handed out last. NULL where it was. */
static uint8_t *place_nowhere(const struct memory *memory, size_t size)
{
    size_t pages = size / MEMORY_PAGE_BYTES + 1;

    return memory->used + pages > memory->page_count
               ? NULL
               : memory->base +
                     (memory->page_count - pages) * MEMORY_PAGE_BYTES;
}

uint8_t *block_place(struct memory *memory, const struct value_block *block)
{
    size_t size = block->size;
    uint8_t *at;

    if (block->state == BLOCK_UNMAPPED) {
        return place_nowhere(memory, size);
    }
    if (block->state == BLOCK_SHORT && size > 0) {
        size--;
    }
    /* A byte more, behind it, puts its start beside the boundary. */
    at = memory_alloc(
        memory, size + (block->state == BLOCK_UNALIGNED), VALUE_FILL);
    if (at == NULL) {
        return NULL;
    }
    memcpy(at, block->bytes, size);
    if (!block_is_there(block)) {
        memory_free(memory, at);
    }
    return at;
}
