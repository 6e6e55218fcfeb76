/* block.h - a block that a call is given, in the guest's memory: good, or bad
 * in one of the ways that drivers get wrong. */
#ifndef RUNNER_LANGUAGE_BLOCK_H
#define RUNNER_LANGUAGE_BLOCK_H

#include "scenarios/runner/language/value.h"
#include "sim/memory/memory.h"

/* Puts the block's bytes there. NULL when the memory is used up. */
uint8_t *block_place(struct memory *memory, const struct value_block *block);

/* Whether the guest can read it. */
bool block_is_there(const struct value_block *block);

/* The words of block_states.def, as schema_name() takes them. */
schema_nth name_of_block_state;

/* The state that a word names; reports another. */
bool block_read_state(
    struct scope *scope, const struct node *node, enum block_state *state);

#endif
