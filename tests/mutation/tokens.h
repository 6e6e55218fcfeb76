/* tokens.h - the tokens of a C file. Comments and preprocessor lines are none,
 * and it knows no more of the language than brackets. */
#ifndef MUTATION_TOKENS_H
#define MUTATION_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_TEXT, /* a string or a character */
    TOKEN_MARK, /* an operator or a bracket */
};

struct token {
    enum token_kind kind;
    size_t at, length;     /* bytes of the text */
    unsigned line, column; /* from 1; columns are bytes */
    bool kept; /* what is no behaviour: assertions, checks of invariants
      (bool x_check(const struct x *)), attributes */
};

struct tokens {
    const char *text;
    struct token *item;
    size_t count;
};

/* Child of `context`; `text` has to live as long. */
struct tokens *tokens_read(void *context, const char *text);

/* Whether token `i` is spelt so; none beyond the end is. */
bool tokens_is(const struct tokens *tokens, size_t i, const char *spelling);

/* Whether it is one of the words, which end with NULL. */
bool tokens_is_any(
    const struct tokens *tokens, size_t i, const char *const *spellings);

/* The token that closes the bracket `i`; `count` where nothing does. */
size_t tokens_close(const struct tokens *tokens, size_t i);

#endif
