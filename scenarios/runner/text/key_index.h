/* key_index.h - where in a list the item with a key stands, found in the same
 * time however long the list is. Keys are bytes; what the items are it does not
 * know. */
#ifndef RUNNER_TEXT_KEY_INDEX_H
#define RUNNER_TEXT_KEY_INDEX_H

#include <stdbool.h>
#include <stddef.h>

struct key_index;

/* One without keys; child of `context`. */
struct key_index *key_index_new(void *context);

/* Whether the key is there; then *at is what it was added with. */
bool key_index_find(
    const struct key_index *index, const void *key, size_t length, size_t *at);

/* Adds a copy of a key that is not there yet; `length` in bytes. */
void key_index_add(
    struct key_index *index, const void *key, size_t length, size_t at);

#endif
