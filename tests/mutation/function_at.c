/* function_at.c - finds the function of a C file that a place is in: outside of
 * all brackets a name, parameters, a body. */
#include "tests/mutation/function_at.h"

#include <assert.h>
#include <talloc.h>

#include "tests/mutation/tokens.h"

/* The closing bracket of the body of the function that token `i` names; or the
 * number of tokens: it names none that is defined there. */
static size_t end_of_function(const struct tokens *tokens, size_t i)
{
    size_t body;

    if (tokens->item[i].kind != TOKEN_NAME || !tokens_is(tokens, i + 1, "(")) {
        return tokens->count;
    }
    body = tokens_close(tokens, i + 1) + 1;
    return tokens_is(tokens, body, "{") ? tokens_close(tokens, body)
                                        : tokens->count;
}

char *function_at(void *context, const char *text, size_t at)
{
    struct tokens *tokens = tokens_read(context, text);
    char *found = NULL;

    assert(tokens != NULL);
    for (size_t i = 0; i < tokens->count && tokens->item[i].at <= at; i++) {
        const struct token *name = &tokens->item[i];
        size_t end = end_of_function(tokens, i);

        if (end < tokens->count) {
            if (tokens->item[end].at >= at) {
                found = talloc_strndup(context, text + name->at, name->length);
                break;
            }
            i = end;
        } else if (tokens_is(tokens, i, "{") || tokens_is(tokens, i, "(")) {
            i = tokens_close(tokens, i);
        }
    }
    talloc_free(tokens);
    return found;
}
