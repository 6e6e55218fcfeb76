/* layout_tokens.h - where the words and signs of a YAML text stand, and in
 * which block collections. What is between two of them is blanks, line ends,
 * comments and commas before a closing bracket, so that a layout may change it.
 */
#ifndef RUNNER_LAYOUT_LAYOUT_TOKENS_H
#define RUNNER_LAYOUT_LAYOUT_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum layout_token_kind {
    LAYOUT_NONE,
    LAYOUT_SCALAR,        /* plain or in single quotes */
    LAYOUT_DOUBLE_QUOTED, /* a scalar that may have escapes */
    LAYOUT_BLOCK_SCALAR,  /* | or > with its lines, as far as they have text */
    LAYOUT_DASH,
    LAYOUT_QUESTION,
    LAYOUT_COLON,
    LAYOUT_COMMA, /* but not one that a closing bracket follows */
    LAYOUT_OPEN,
    LAYOUT_CLOSE,
    LAYOUT_MARKER, /* --- or ... */
};

struct layout_token {
    enum layout_token_kind kind;
    size_t start, end;   /* bytes of the text */
    size_t line, column; /* of its start, from 0, in characters */
    size_t end_line;
    size_t block; /* the innermost block collection around it */
    size_t depth; /* flow collections that are open behind it */
    bool key;     /* begins an entry of a mapping */
    bool opens;   /* the first of its block collection */
    bool table;   /* in a row of a table: its columns are the author's */
    /* Of a block scalar: */
    size_t text_column; /* where its lines begin */
    bool keeps;         /* empty lines behind it are part of it */
    bool strips;        /* a line end behind it is not part of it */
};

/* A block collection. Number 0 is none: what stands around the root. */
struct layout_block {
    size_t parent;
    long column; /* of its entries, as it is written */
    long indent; /* and as it has to be */
    bool list;
    bool unindented; /* a list whose items stand under the column of its key */
};

struct layout_tokens {
    const char *text; /* lines end in LF */
    size_t length;
    struct layout_token *item;
    size_t count;
    struct layout_block *block;
    size_t block_count, block_capacity;
};

/* Finds them in a text of which yaml_tree_read() has a tree. Child of
 * `context`, and points into the text. NULL when libyaml refuses it. */
struct layout_tokens *layout_tokens_scan(
    void *context, const char *text, size_t length);

/* The bracket that closes the one at `open`. */
size_t layout_tokens_closing(const struct layout_tokens *tokens, size_t open);

/* Marks the rows of tables: neighbouring lines of one block, each a mapping in
 * braces with the same keys in the same order. */
void layout_tokens_mark_tables(struct layout_tokens *tokens);

#endif
