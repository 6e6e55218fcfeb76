/* text_mutation.c - splitmix64 numbers choose a text, pieces of it, and what
 * becomes of them. Pieces are tokens, or lines with all that is indented below
 * them, so that many results are scenarios still. */
#include "tests/fuzz/text_mutation.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

enum { EDITS_MAX = 4, TRIES = 16 };

/* Part of a text. */
struct piece {
    size_t at, length;
};

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || strchr("_$./", byte) != NULL;
}

/* The token around or behind a random byte: a word, a text in quotes, or one
 * character. */
static struct piece pick_token(uint64_t *state, const char *text)
{
    size_t size = strlen(text);
    size_t at = size == 0 ? 0 : next(state) % size;
    size_t length = 0;

    while (text[at] == ' ' || text[at] == '\n') {
        at++;
    }
    while (text[at] != '\0' && is_word(text[at]) && at > 0 &&
           is_word(text[at - 1])) {
        at--;
    }
    while (text[at + length] != '\0' && is_word(text[at + length])) {
        length++;
    }
    if (text[at] == '"') {
        const char *end = strchr(text + at + 1, '"');

        length = end == NULL ? 1 : (size_t)(end - text) + 1 - at;
    }
    return (struct piece){at, length == 0 && text[at] != '\0' ? 1 : length};
}

/* What a piece is: most places take only one kind. */
enum piece_kind { PIECE_NUMBER, PIECE_NAME, PIECE_VARIABLE, PIECE_OTHER };

static enum piece_kind kind_of(const char *text)
{
    if (isdigit((unsigned char)text[0])) {
        return PIECE_NUMBER;
    }
    if (text[0] == '$') {
        return PIECE_VARIABLE;
    }
    return is_word(text[0]) ? PIECE_NAME : PIECE_OTHER;
}

/* A word of the same kind as a rule, any word now and then. */
static const char *pick_word(
    uint64_t *state, const struct text_corpus *corpus, const char *instead_of)
{
    const char *word = corpus->word[next(state) % corpus->words];

    for (int i = 0; i < TRIES && kind_of(word) != kind_of(instead_of); i++) {
        word = corpus->word[next(state) % corpus->words];
    }
    return word;
}

/* The same with a token of another text. */
static struct piece pick_alike(
    uint64_t *state, const char *text, const char *instead_of)
{
    struct piece token = pick_token(state, text);

    for (int i = 0;
         i < TRIES && kind_of(text + token.at) != kind_of(instead_of); i++) {
        token = pick_token(state, text);
    }
    return token;
}

static size_t line_end(const char *text, size_t at)
{
    const char *end = strchr(text + at, '\n');

    return end == NULL ? at + strlen(text + at) : (size_t)(end - text) + 1;
}

/* A line and those below it that are indented more: a step, an expectation. */
static struct piece pick_lines(uint64_t *state, const char *text)
{
    size_t size = strlen(text);
    size_t at = size == 0 ? 0 : next(state) % size, end, indent;

    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    indent = strspn(text + at, " ");
    for (end = line_end(text, at);
         text[end] != '\0' && strspn(text + end, " ") > indent;) {
        end = line_end(text, end);
    }
    return (struct piece){at, end - at};
}

/* The text with the piece replaced. */
static char *replace(void *context, const char *text, struct piece piece,
    const char *with, size_t length)
{
    return talloc_asprintf(context, "%.*s%.*s%s", (int)piece.at, text,
        (int)length, with, text + piece.at + piece.length);
}

static char *exchange(
    void *context, const char *text, struct piece a, struct piece b)
{
    if (a.at > b.at) {
        const struct piece other = a;

        a = b;
        b = other;
    }
    if (a.at + a.length > b.at) {
        return talloc_strdup(context, text); /* one inside of the other */
    }
    return talloc_asprintf(context, "%.*s%.*s%.*s%.*s%s", (int)a.at, text,
        (int)b.length, text + b.at, (int)(b.at - a.at - a.length),
        text + a.at + a.length, (int)a.length, text + a.at,
        text + b.at + b.length);
}

static char *edit_tokens(void *context, uint64_t *state,
    const struct text_corpus *corpus, const char *text, const char *other)
{
    struct piece token = pick_token(state, text);
    struct piece second;
    const char *word;

    switch (next(state) % 6) {
    case 0:
        return replace(context, text, token, "", 0);
    case 1: /* once more behind itself */
        return replace(context, text, (struct piece){token.at, 0},
            text + token.at, token.length);
    case 2:
        second = pick_alike(state, text, text + token.at);
        return exchange(context, text, token, second);
    case 3:
        second = pick_alike(state, other, text + token.at);
        return replace(context, text, token, other + second.at, second.length);
    default:
        word = pick_word(state, corpus, text + token.at);
        return replace(context, text, token, word, strlen(word));
    }
}

static char *edit_lines(
    void *context, uint64_t *state, const char *text, const char *other)
{
    struct piece lines = pick_lines(state, text);
    struct piece second;

    switch (next(state) % 4) {
    case 0:
        return replace(context, text, lines, "", 0);
    case 1:
        return replace(context, text, (struct piece){lines.at, 0},
            text + lines.at, lines.length);
    case 2:
        return exchange(context, text, lines, pick_lines(state, text));
    default: /* those of another file before these */
        second = pick_lines(state, other);
        return replace(context, text, (struct piece){lines.at, 0},
            other + second.at, second.length);
    }
}

/* Any byte for any byte: what is no text at all is the fuzzers' business. */
static char *edit_byte(void *context, uint64_t *state, const char *text)
{
    char *copy = talloc_strdup(context, text);
    size_t size = strlen(text);

    if (size > 0) {
        copy[next(state) % size] = (char)(1 + next(state) % 255);
    }
    return copy;
}

char *text_mutation_make(void *context, const struct text_corpus *corpus,
    uint64_t seed, uint64_t number)
{
    uint64_t state = seed;
    char *text;
    size_t edits;

    assert(corpus->count > 0 && corpus->words > 0);
    state = next(&state) + number;
    text = talloc_strdup(context, corpus->text[next(&state) % corpus->count]);
    edits = 1 + next(&state) % EDITS_MAX;
    for (size_t i = 0; i < edits; i++) {
        const char *other = corpus->text[next(&state) % corpus->count];
        uint64_t kind = next(&state) % 32;
        char *edited = kind == 0 ? edit_byte(context, &state, text)
                       : kind < 20
                           ? edit_tokens(context, &state, corpus, text, other)
                           : edit_lines(context, &state, text, other);

        talloc_free(text);
        text = edited;
    }
    return text;
}
