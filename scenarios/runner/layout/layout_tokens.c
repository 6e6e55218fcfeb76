/* layout_tokens.c - the words and signs of a YAML text: libyaml's tokens with
 * the bytes that they take, and which of them are rows of tables, whose columns
 * the author may have lined up. */
#include "scenarios/runner/layout/layout_tokens.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>
#include <yaml.h>

#include "api/text/utf8.h"
#include "scenarios/runner/layout/layout_scalar.h"

enum { INDENT = 2, BLOCKS = 16 };

struct token_scan {
    struct layout_tokens *tokens;
    size_t capacity;
    size_t block; /* the innermost that is open */
    size_t depth;
    bool key, opens;          /* of the token that comes next */
    size_t bytes, characters; /* how far the text has been counted */
};

static const enum layout_token_kind kinds[] = {
    [YAML_DOCUMENT_START_TOKEN] = LAYOUT_MARKER,
    [YAML_DOCUMENT_END_TOKEN] = LAYOUT_MARKER,
    [YAML_FLOW_SEQUENCE_START_TOKEN] = LAYOUT_OPEN,
    [YAML_FLOW_SEQUENCE_END_TOKEN] = LAYOUT_CLOSE,
    [YAML_FLOW_MAPPING_START_TOKEN] = LAYOUT_OPEN,
    [YAML_FLOW_MAPPING_END_TOKEN] = LAYOUT_CLOSE,
    [YAML_BLOCK_ENTRY_TOKEN] = LAYOUT_DASH,
    [YAML_FLOW_ENTRY_TOKEN] = LAYOUT_COMMA,
    [YAML_KEY_TOKEN] = LAYOUT_QUESTION,
    [YAML_VALUE_TOKEN] = LAYOUT_COLON,
    [YAML_SCALAR_TOKEN] = LAYOUT_SCALAR,
};

/* Marks count characters; they are asked for in the text's order. */
static size_t byte_at(struct token_scan *scan, size_t character)
{
    const struct layout_tokens *tokens = scan->tokens;

    while (scan->characters < character && scan->bytes < tokens->length) {
        scan->bytes += utf8_bytes(
            tokens->text + scan->bytes, tokens->length - scan->bytes, 1);
        scan->characters++;
    }
    return scan->bytes;
}

static void block_open(
    struct token_scan *scan, const yaml_token_t *at, bool list)
{
    struct layout_tokens *tokens = scan->tokens;
    long outer = tokens->block[scan->block].indent;

    if (tokens->block_count == tokens->block_capacity) {
        tokens->block_capacity *= 2;
        tokens->block = talloc_realloc(tokens, tokens->block,
            struct layout_block, (unsigned)tokens->block_capacity);
        assert(tokens->block != NULL);
    }
    tokens->block[tokens->block_count] =
        (struct layout_block){.parent = scan->block,
            .column = (long)at->start_mark.column,
            .indent = outer + INDENT,
            .list = list};
    scan->block = tokens->block_count++;
    scan->opens = true;
}

static void block_close(struct token_scan *scan)
{
    scan->block = scan->tokens->block[scan->block].parent;
}

static enum layout_token_kind kind_of(const yaml_token_t *token)
{
    enum layout_token_kind kind =
        (size_t)token->type < sizeof(kinds) / sizeof(kinds[0])
            ? kinds[token->type]
            : LAYOUT_NONE;

    if (kind != LAYOUT_SCALAR) {
        return kind;
    }
    if (token->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE) {
        return LAYOUT_DOUBLE_QUOTED;
    }
    return token->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
                   token->data.scalar.style == YAML_FOLDED_SCALAR_STYLE
               ? LAYOUT_BLOCK_SCALAR
               : LAYOUT_SCALAR;
}

static void token_add(struct token_scan *scan, enum layout_token_kind kind,
    const yaml_token_t *from)
{
    struct layout_tokens *tokens = scan->tokens;
    size_t start = byte_at(scan, from->start_mark.index);
    size_t end = byte_at(scan, from->end_mark.index);
    struct layout_token *token;

    if (kind == LAYOUT_CLOSE &&
        tokens->item[tokens->count - 1].kind == LAYOUT_COMMA) {
        tokens->count--;
    }
    if (tokens->count == scan->capacity) {
        scan->capacity = scan->capacity == 0 ? 64 : 2 * scan->capacity;
        tokens->item = talloc_realloc(tokens, tokens->item, struct layout_token,
            (unsigned)scan->capacity);
        assert(tokens->item != NULL);
    }
    scan->depth += kind == LAYOUT_OPEN;
    scan->depth -= kind == LAYOUT_CLOSE;
    token = &tokens->item[tokens->count++];
    *token = (struct layout_token){.kind = kind,
        .start = start,
        .end = end,
        .line = from->start_mark.line,
        .column = from->start_mark.column,
        .end_line = from->end_mark.line,
        .block = scan->block,
        .depth = scan->depth,
        .key = scan->key,
        .opens = scan->opens};
    scan->key = scan->opens = false;
    if (kind == LAYOUT_BLOCK_SCALAR) {
        layout_scalar_measure(tokens, token);
    }
}

/* A list that is not indented has no start and no end in libyaml's tokens. */
static void close_unindented(struct token_scan *scan)
{
    if (scan->tokens->block[scan->block].unindented) {
        block_close(scan);
    }
}

static void token_take(struct token_scan *scan, const yaml_token_t *token)
{
    enum layout_token_kind kind = kind_of(token);
    bool list = token->type == YAML_BLOCK_SEQUENCE_START_TOKEN;

    if (list || token->type == YAML_BLOCK_MAPPING_START_TOKEN) {
        block_open(scan, token, list);
    } else if (token->type == YAML_BLOCK_END_TOKEN) {
        close_unindented(scan);
        block_close(scan);
    }
    if (kind == LAYOUT_DASH && !scan->tokens->block[scan->block].list) {
        block_open(scan, token, true);
        scan->tokens->block[scan->block].unindented = true;
    }
    if ((kind == LAYOUT_QUESTION || kind == LAYOUT_COLON) && scan->depth == 0) {
        close_unindented(scan);
    }
    if (kind == LAYOUT_QUESTION &&
        token->start_mark.index == token->end_mark.index) {
        scan->key = true; /* libyaml's word for a key without a sign */
    } else if (kind != LAYOUT_NONE) {
        token_add(scan, kind, token);
    }
}

struct layout_tokens *layout_tokens_scan(
    void *context, const char *text, size_t length)
{
    struct layout_tokens *tokens = talloc_zero(context, struct layout_tokens);
    struct token_scan scan = {.tokens = tokens};
    yaml_parser_t parser;
    yaml_token_t token;
    bool end = false, unbalanced = false;

    assert(tokens != NULL);
    tokens->text = text;
    tokens->length = length;
    tokens->block = talloc_zero_array(tokens, struct layout_block, BLOCKS);
    assert(tokens->block != NULL);
    tokens->block_capacity = BLOCKS;
    tokens->block[0] =
        (struct layout_block){.column = -INDENT, .indent = -INDENT};
    tokens->block_count = 1;
    end = yaml_parser_initialize(&parser) == 0;
    assert(!end);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (!end && !unbalanced && yaml_parser_scan(&parser, &token) != 0) {
        end = token.type == YAML_STREAM_END_TOKEN;
        unbalanced = kind_of(&token) == LAYOUT_CLOSE && scan.depth == 0;
        if (!unbalanced) {
            token_take(&scan, &token);
        }
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return end && scan.depth == 0 ? tokens : NULL;
}

size_t layout_tokens_closing(const struct layout_tokens *tokens, size_t open)
{
    size_t depth = tokens->item[open].depth - 1;
    size_t at = open + 1;

    while (tokens->item[at].kind != LAYOUT_CLOSE ||
           tokens->item[at].depth != depth) {
        at++;
    }
    return at;
}

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

void layout_tokens_mark_tables(struct layout_tokens *tokens)
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
