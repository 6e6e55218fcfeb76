/* layout_table.c - rows whose columns the author may have lined up. */
#include <string.h>

#include "scenarios/runner/layout/layout_tokens.h"

struct row {
    size_t open, close; /* tokens; none when equal */
};

/* The mapping in braces that begins with this token, if it is all that its
 * entry has and the entry takes one line. */
static struct row row_at(const struct layout_tokens *tokens, size_t open)
{
    const struct layout_token *token = &tokens->item[open];
    size_t close;

    if (token->kind != LAYOUT_OPEN || token->depth != 1 ||
        tokens->text[token->start] != '{') {
        return (struct row){0, 0};
    }
    close = layout_tokens_closing(tokens, open);
    return tokens->item[close].line == token->line ? (struct row){open, close}
                                                   : (struct row){0, 0};
}

/* The next key of the row behind `at`; its end when there is no more. */
static size_t next_key(
    const struct layout_tokens *tokens, struct row row, size_t at)
{
    do {
        at++;
    } while (at < row.close &&
             !(tokens->item[at].key && tokens->item[at].depth == 1));
    return at;
}

static bool same_keys(
    const struct layout_tokens *tokens, struct row one, struct row other)
{
    size_t a = next_key(tokens, one, one.open);
    size_t b = next_key(tokens, other, other.open);

    while (a < one.close && b < other.close) {
        const struct layout_token *key = &tokens->item[a];
        const struct layout_token *too = &tokens->item[b];

        if (key->end - key->start != too->end - too->start ||
            memcmp(tokens->text + key->start, tokens->text + too->start,
                key->end - key->start) != 0) {
            return false;
        }
        a = next_key(tokens, one, a);
        b = next_key(tokens, other, b);
    }
    return a == one.close && b == other.close;
}

static void row_mark(struct layout_tokens *tokens, struct row row)
{
    for (size_t i = row.open; i <= row.close; i++) {
        tokens->item[i].table = true;
    }
}

void layout_tables_mark(struct layout_tokens *tokens)
{
    struct row above = {0, 0};

    for (size_t i = 0; i < tokens->count; i++) {
        struct row row = row_at(tokens, i);
        const struct layout_token *open = &tokens->item[row.open];
        const struct layout_token *before = &tokens->item[above.open];

        if (row.open == row.close) {
            continue;
        }
        if (above.open != above.close && before->line + 1 == open->line &&
            before->block == open->block && same_keys(tokens, above, row)) {
            row_mark(tokens, above);
            row_mark(tokens, row);
        }
        above = row;
    }
}
