/* value.h - values as a scenario writes them, made into the bytes that a
 * driver would pass. Table-driven: no code for any one NT type. */
#ifndef RUNNER_LANGUAGE_VALUE_H
#define RUNNER_LANGUAGE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

enum {
    VALUE_REPEAT = 65536, /* elements of an array, at most */
    VALUE_FILL = 0xA5,    /* of output blocks, so that a write is seen */
};

/* One value of a type that is no structure. Returns false after reporting. */
bool value_scalar(struct scope *scope, const struct node *node,
    enum nt_type type, uint64_t *value);

enum block_state {
    BLOCK_GOOD,
#define BLOCK_STATE(name, word) BLOCK_##name,
#include "scenarios/runner/language/block_states.def"
    BLOCK_STATE_COUNT
};

/* What a pointer parameter is given. */
struct value_block {
    enum block_state state;
    bool is_address; /* `address` as it stands: null or a wild one */
    uint64_t address;
    uint8_t *bytes; /* else the content of a block; child of the context */
    size_t size;
    size_t count; /* elements */
};

/* null, $name of a memory block, the text of a counted one, {at: address},
 * {buffer: elements}, {bytes: [..]}, a structure, a list of elements or
 * {repeat: n, item: ..}: the last two only where the parameter is an array; and
 * {value: one of these, but: short} with a state of block_states.def. Returns
 * false after reporting. */
bool value_block(struct scope *scope, void *context, const struct node *node,
    enum nt_type type, bool array, struct value_block *block);

/* The same for bytes that have to be a list of them, or a repeat. */
bool value_bytes(struct scope *scope, void *context, const struct node *node,
    struct value_block *block);

/* Whether the node is a list or a repeat, and how many elements it has. */
bool value_is_list(const struct node *node);
bool value_length(struct scope *scope, const struct node *node, size_t *length);

/* The n-th element of a list or repeat; sets $i in the scope. Call
 * value_list_end() after the last one. */
const struct node *value_item(
    struct scope *scope, const struct node *node, size_t n);
void value_list_end(struct scope *scope, const struct node *node);

#endif
