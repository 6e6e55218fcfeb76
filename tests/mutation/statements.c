/* statements.c - defects of whole statements, in the bodies of functions. */
#include <string.h>
#include <talloc.h>

#include "tests/mutation/mutants_add.h"

/* What may follow the first name of an expression; after that of a declaration
 * comes a name or an asterisk. */
static const char *const expression_goes_on[] = {"(", ".", "->", "[", "=",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--",
    NULL};
static const char *const expression_begins[] = {"*", "(", "++", "--", NULL};
static const char *const comparisons[] = {
    "<", "<=", ">", ">=", "==", "!=", NULL};
static const char *const joints[] = {"&&", "||", NULL};
/* Words that no expression begins with; sizeof is of no use as one. */
static const char *const keywords[] = {
    "break", "continue", "goto", "sizeof", "_Static_assert", NULL};

static char *words(void *context, const struct tokens *tokens, size_t first,
    size_t last, const char *before, const char *after)
{
    const struct token *from = &tokens->item[first], *to = &tokens->item[last];

    return talloc_asprintf(context, "%s%.*s%s", before,
        (int)(to->at + to->length - from->at), tokens->text + from->at, after);
}

/* The end of a statement, its semicolon; `end` where there is none before. */
static size_t semicolon(const struct tokens *tokens, size_t i, size_t end)
{
    while (i < end && !tokens_is(tokens, i, ";")) {
        if (tokens_is(tokens, i, "}")) {
            return end;
        }
        i = tokens_is(tokens, i, "(") || tokens_is(tokens, i, "{") ||
                    tokens_is(tokens, i, "[")
                ? tokens_close(tokens, i) + 1
                : i + 1;
    }
    return i < end ? i : end;
}

/* Where the condition is one comparison, its negation is in the list already.
 */
static bool is_one_comparison(
    const struct tokens *tokens, size_t first, size_t last)
{
    unsigned count = 0;

    for (size_t i = first; i <= last; i++) {
        if (tokens_is_any(tokens, i, joints)) {
            return false;
        }
        count += tokens_is_any(tokens, i, comparisons);
    }
    return count == 1;
}

/* `i` is the bracket. Returns the token after the closing one. */
static size_t add_condition(
    struct mutants *mutants, const struct tokens *tokens, size_t i)
{
    size_t last = tokens_close(tokens, i);

    if (last < tokens->count && last > i + 1 &&
        !is_one_comparison(tokens, i + 1, last - 1)) {
        mutants_add(mutants, tokens, i + 1, last - 1, MUTANT_CONDITION,
            words(mutants, tokens, i + 1, last - 1, "!(", ")"));
    }
    return last + 1;
}

/* What tokens first..last come to in the mutant: `false` becomes true and all
 * else 0. NULL: another search changes them, or 0 would not compile. */
static const char *other_result(
    const struct tokens *tokens, size_t first, size_t last)
{
    const struct token *token = &tokens->item[first];

    if (first == last && tokens_is(tokens, first, "false")) {
        return "true";
    }
    if (first == last &&
        (token->kind == TOKEN_NUMBER || tokens_is(tokens, first, "NULL") ||
            tokens_is(tokens, first, "ERROR_SUCCESS") || /* is 0 */
            strncmp(tokens->text + token->at, "STATUS_", 7) == 0)) {
        return NULL;
    }
    for (size_t i = first; i <= last; i++) {
        if (tokens_is(tokens, i, "{")) {
            return NULL;
        }
    }
    return first == last && tokens_is(tokens, first, "true") ? "false" : "0";
}

static void add_result(struct mutants *mutants, const struct tokens *tokens,
    size_t first, size_t end)
{
    const char *after =
        first < end ? other_result(tokens, first, end - 1) : NULL;

    if (after != NULL) {
        mutants_add(mutants, tokens, first, end - 1, MUTANT_RESULT, after);
    }
}

static bool is_expression(const struct tokens *tokens, size_t i)
{
    if (tokens->item[i].kept || tokens_is_any(tokens, i, keywords)) {
        return false;
    }
    if (tokens_is(tokens, i, "(") && tokens_is(tokens, i + 1, "void") &&
        tokens_is(tokens, i + 2, ")")) {
        return false; /* says only that a value is not used */
    }
    return tokens_is_any(tokens, i, expression_begins) ||
           (tokens->item[i].kind == TOKEN_NAME &&
               tokens_is_any(tokens, i + 1, expression_goes_on));
}

/* The label or words before the statement proper; `i` where there are none. */
static size_t skip_label(const struct tokens *tokens, size_t i, size_t end)
{
    static const char *const words_before[] = {
        "{", "}", ";", "else", "do", NULL};

    if (tokens_is_any(tokens, i, words_before)) {
        return i + 1;
    }
    if (tokens_is(tokens, i, "case")) {
        while (i < end && !tokens_is(tokens, i, ":")) {
            i++;
        }
        return i + 1;
    }
    return tokens->item[i].kind == TOKEN_NAME && tokens_is(tokens, i + 1, ":")
               ? i + 2
               : i;
}

/* The statement that begins at `i`; returns where the next may begin. */
static size_t add_statement(
    struct mutants *mutants, const struct tokens *tokens, size_t i, size_t end)
{
    size_t next = skip_label(tokens, i, end);

    if (next != i) {
        return next;
    }
    if (tokens_is(tokens, i, "if") || tokens_is(tokens, i, "while")) {
        return add_condition(mutants, tokens, i + 1);
    }
    if (tokens_is(tokens, i, "for") || tokens_is(tokens, i, "switch")) {
        return tokens_close(tokens, i + 1) + 1;
    }
    next = semicolon(tokens, i, end);
    if (next == end) {
        return i + 1;
    }
    if (tokens_is(tokens, i, "return")) {
        add_result(mutants, tokens, i + 1, next);
    } else if (is_expression(tokens, i)) {
        mutants_add(mutants, tokens, i, next, MUTANT_STATEMENT, ";");
    }
    return next + 1;
}

void mutants_add_statements(
    struct mutants *mutants, const struct tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        size_t end;

        if (!tokens_is(tokens, i, "{")) {
            continue;
        }
        end = tokens_close(tokens, i);
        /* Outside of functions, and not of an initialiser or a structure. */
        if (i > 0 && tokens_is(tokens, i - 1, ")") && !tokens->item[i].kept) {
            size_t at = i + 1;

            while (at < end && at < tokens->count) {
                at = add_statement(mutants, tokens, at, end);
            }
        }
        i = end;
    }
}
