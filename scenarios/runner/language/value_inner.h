/* value_inner.h - what a value points to: blocks behind the pointers inside of
 * structures, and the characters of counted texts. While checking nothing is
 * placed. */
#ifndef RUNNER_LANGUAGE_VALUE_INNER_H
#define RUNNER_LANGUAGE_VALUE_INNER_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

struct value_block;

enum { VALUE_TEXT_BYTES = 65534 }; /* of a counted text */

/* A pointer: null, a number, $name, or a block of bytes as value_block() takes
 * it. *address is 0 while checking. Returns false after reporting. */
bool value_pointer(
    struct scope *scope, const struct node *node, uint64_t *address);

/* What a pointer of a known type points to. */
struct pointee {
    enum nt_type type;
    bool array;       /* one or more; else exactly one */
    uint64_t address; /* filled in; 0 while checking */
    bool counted;     /* so is how many there are, whole ones */
    size_t count;
};

/* A pointer to values of a type: $name, or what value_block() takes, in a block
 * of its own. Returns false after reporting. */
bool value_pointee(
    struct scope *scope, const struct node *node, struct pointee *pointee);

/* Whether the type is one of counted text: UNICODE_STRING or STRING. */
bool value_inner_is_string(enum nt_type type);

/* Whether the node is a text where a structure of counted text may stand. */
bool value_is_text(const struct node *node, enum nt_type type);

/* Writes such a structure at `at`: true lengths in bytes, no NUL. Returns false
 * after reporting. */
bool value_write_text(struct scope *scope, const struct node *node,
    enum nt_type type, uint8_t *at);

/* Whether the node is a text where a pointer to characters may stand. */
bool value_is_characters(const struct node *node, enum nt_type type);

/* Its characters and a NUL, as a block. Returns false after reporting. */
bool value_characters(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, struct value_block *block);

#endif
