/* operators.c - defects that change one token. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/mutants_add.h"

/* `before` becomes `after`. Spaced: only between blanks, as the project's
 * format writes what has two operands; a sign or an address has none behind. */
static const struct change {
    enum mutant_kind kind;
    bool spaced;
    const char *before, *after;
} changes[] = {
    {MUTANT_COMPARISON, true, "<", "<="},
    {MUTANT_COMPARISON, true, "<", ">="},
    {MUTANT_COMPARISON, true, "<=", "<"},
    {MUTANT_COMPARISON, true, "<=", ">"},
    {MUTANT_COMPARISON, true, ">", ">="},
    {MUTANT_COMPARISON, true, ">", "<="},
    {MUTANT_COMPARISON, true, ">=", ">"},
    {MUTANT_COMPARISON, true, ">=", "<"},
    {MUTANT_COMPARISON, true, "==", "!="},
    {MUTANT_COMPARISON, true, "!=", "=="},
    {MUTANT_CONDITION, true, "&&", "||"},
    {MUTANT_CONDITION, true, "||", "&&"},
    {MUTANT_MASK, true, "&", "|"},
    {MUTANT_MASK, true, "|", "&"},
    {MUTANT_MASK, true, "<<", ">>"},
    {MUTANT_MASK, true, ">>", "<<"},
    {MUTANT_MASK, true, "&=", "|="},
    {MUTANT_MASK, true, "|=", "&="},
    {MUTANT_MASK, true, "<<=", ">>="},
    {MUTANT_MASK, true, ">>=", "<<="},
    {MUTANT_MASK, false, "~", ""},
    {MUTANT_SUM, true, "+", "-"},
    {MUTANT_SUM, true, "-", "+"},
    {MUTANT_SUM, true, "+=", "-="},
    {MUTANT_SUM, true, "-=", "+="},
};

static bool is_spaced(const struct tokens *tokens, size_t i)
{
    const struct token *token = &tokens->item[i];

    return token->at > 0 &&
           isspace((unsigned char)tokens->text[token->at - 1]) &&
           isspace((unsigned char)tokens->text[token->at + token->length]);
}

static void add_changes(
    struct mutants *mutants, const struct tokens *tokens, size_t i)
{
    for (size_t c = 0; c < sizeof(changes) / sizeof(changes[0]); c++) {
        const struct change *change = &changes[c];

        if (tokens_is(tokens, i, change->before) &&
            (!change->spaced || is_spaced(tokens, i))) {
            mutants_add(mutants, tokens, i, i, change->kind, change->after);
        }
    }
}

/* A longer array is no defect, and a shorter one the sanitizers' business. */
static bool is_array_size(const struct tokens *tokens, size_t i)
{
    return i >= 3 && tokens_is(tokens, i - 1, "[") &&
           tokens_is(tokens, i + 1, "]") &&
           tokens->item[i - 2].kind == TOKEN_NAME &&
           (tokens->item[i - 3].kind == TOKEN_NAME ||
               tokens_is(tokens, i - 3, "*")) &&
           !tokens_is(tokens, i - 3, "return");
}

static void add_constant(
    struct mutants *mutants, const struct tokens *tokens, size_t i)
{
    const struct token *token = &tokens->item[i];
    char *text =
        talloc_strndup(mutants, tokens->text + token->at, token->length);
    char *suffix;
    uint64_t value = strtoull(text, &suffix, 0);
    bool hexadecimal = text[0] == '0' && tolower((unsigned char)text[1]) == 'x';

    if (strspn(suffix, "uUlL") == strlen(suffix) && !is_array_size(tokens, i)) {
        for (int step = -1; step <= 1; step += 2) {
            uint64_t other = value + (uint64_t)(int64_t)step;

            /* -1 for 0, and the reverse, is another type's number. */
            if ((step > 0) == (other > value)) {
                mutants_add(mutants, tokens, i, i, MUTANT_CONSTANT,
                    talloc_asprintf(mutants,
                        hexadecimal ? "0x%" PRIX64 "%s" : "%" PRIu64 "%s",
                        other, suffix));
            }
        }
    }
    talloc_free(text);
}

static bool is_status(const struct tokens *tokens, size_t i)
{
    const struct token *token = &tokens->item[i];

    return token->kind == TOKEN_NAME && token->length > strlen("STATUS_") &&
           strncmp(tokens->text + token->at, "STATUS_", 7) == 0;
}

/* The next status of the file that is another; after the last the first. */
static void add_status(
    struct mutants *mutants, const struct tokens *tokens, size_t i)
{
    const struct token *token = &tokens->item[i];
    char *name =
        talloc_strndup(mutants, tokens->text + token->at, token->length);

    for (size_t n = 1; n < tokens->count; n++) {
        size_t other = (i + n) % tokens->count;

        if (is_status(tokens, other) && !tokens_is(tokens, other, name)) {
            mutants_add(mutants, tokens, i, i, MUTANT_STATUS,
                talloc_strndup(mutants, tokens->text + tokens->item[other].at,
                    tokens->item[other].length));
            break;
        }
    }
    talloc_free(name);
}

void mutants_add_operators(struct mutants *mutants, const struct tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->item[i].kept) {
            continue;
        }
        if (tokens->item[i].kind == TOKEN_NUMBER) {
            add_constant(mutants, tokens, i);
        } else if (is_status(tokens, i)) {
            add_status(mutants, tokens, i);
        } else {
            add_changes(mutants, tokens, i);
        }
    }
}
