/* layout_gaps.c - what stands between the tokens of a file that is laid out,
 * written anew: blanks on a line, or line ends, comments and the indentation of
 * the token behind it. */
#include "scenarios/runner/layout/layout_gaps.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/layout/layout_comment.h"
#include "scenarios/runner/layout/layout_scalar.h"

struct layout {
    struct text_edits *edits;
    const struct layout_tokens *tokens;
    long shift; /* columns that the token before has moved */
    long hang;  /* and that the lines of the open flow collection move */
};

struct gap {
    const struct layout *layout;
    const struct layout_token *before, *after; /* NULL: end of the file */
    size_t start, stop;
    char *text;     /* as it has to be */
    size_t empty;   /* lines, not yet written */
    bool first;     /* in the line of the token before */
    bool at_top;    /* nothing stands before */
    bool all_empty; /* empty lines are a block scalar's, all of them stay */
};

static bool in_flow(const struct gap *gap)
{
    return gap->before != NULL && gap->before->depth > 0;
}

static long block_indent(const struct gap *gap, size_t block)
{
    long indent = gap->layout->tokens->block[block].indent;

    return indent < 0 ? 0 : indent;
}

/* Where a token comes that is the first of its line; `at` begins the line. */
static long token_indent(const struct gap *gap, size_t at)
{
    const struct layout_token *token = gap->after;
    const struct layout_tokens *tokens = gap->layout->tokens;

    if (in_flow(gap)) {
        long column = gap->layout->hang +
                      (long)layout_scalar_lead(tokens->text, at, token->start);

        return column < 0 ? 0 : column;
    }
    if (token->kind == LAYOUT_MARKER) {
        return 0;
    }
    if (token->key || token->kind == LAYOUT_DASH ||
        token->kind == LAYOUT_QUESTION || token->kind == LAYOUT_COLON) {
        return block_indent(gap, token->block);
    }
    return tokens->block[token->block].indent + 2; /* a value of its own line */
}

/* Where a comment comes whose line begins at `at`: with what follows it, or
 * with the entries of a block that ends there, if it was written so far in. */
static long comment_indent(const struct gap *gap, size_t at)
{
    const struct layout_tokens *tokens = gap->layout->tokens;
    const struct layout_token *after = gap->after;
    long column = (long)layout_scalar_lead(tokens->text, at, gap->stop);
    size_t next = tokens->block_count > 1 ? 1 : 0;
    size_t block = gap->before == NULL ? 0 : gap->before->block;

    if (in_flow(gap)) {
        column += gap->layout->hang;
        return column < 0 ? 0 : column;
    }
    if (after != NULL && after->kind != LAYOUT_MARKER) {
        next = after->block;
        if (after->opens ||
            token_indent(gap, gap->stop) != block_indent(gap, after->block)) {
            return token_indent(gap, gap->stop);
        }
    }
    if (column > tokens->block[next].column) {
        while (block != 0 && tokens->block[block].column > column) {
            block = tokens->block[block].parent;
        }
        next = block != 0 ? block : next;
    }
    return block_indent(gap, next);
}

/* Begins a line, behind the empty ones that stay, with this text. */
static void gap_line(struct gap *gap, long indent, const char *text)
{
    size_t most = gap->all_empty ? gap->empty : 1;
    size_t ends = 1 + (gap->empty > most ? most : gap->empty);

    for (; ends > 0 && !gap->at_top; ends--) {
        gap->text = talloc_strdup_append_buffer(gap->text, "\n");
    }
    gap->text = talloc_asprintf_append_buffer(
        gap->text, "%*s%s", (int)indent, "", text);
    gap->empty = 0;
    gap->at_top = false;
    gap->all_empty = false;
}

/* Takes one line of the gap. */
static void gap_take(struct gap *gap, size_t at, size_t end)
{
    const char *text = gap->layout->tokens->text;
    size_t comment = at + strspn(text + at, " \t,");

    if (gap->first) {
        char *behind = layout_comment_behind(gap->text, text + at, end - at);

        gap->text = talloc_strdup_append_buffer(gap->text, behind);
        gap->first = false;
    } else if (comment < end) {
        gap_line(gap, comment_indent(gap, at),
            layout_comment_text(gap->text, text + comment, end - comment));
    } else if (memchr(text + at, ',', end - at) == NULL) {
        gap->empty++; /* one with only a comma goes with the comma */
    }
}

/* The file ends with one line end. */
static void gap_end(struct gap *gap, size_t at)
{
    const struct layout_token *before = gap->before;
    const char *text = gap->layout->tokens->text;
    size_t ends = 1;

    if (at + strspn(text + at, " \t") < gap->stop) {
        gap_take(gap, at, gap->stop);
    }
    if (gap->at_top) {
        return;
    }
    if (gap->first && before->kind == LAYOUT_BLOCK_SCALAR && !before->strips &&
        before->end_line > before->line) {
        return; /* a line end would be one more character of the text */
    }
    for (ends += gap->all_empty ? gap->empty : 0; ends > 0; ends--) {
        gap->text = talloc_strdup_append_buffer(gap->text, "\n");
    }
}

/* Lays out a gap with a line end, or before or behind all tokens. */
static void gap_lines(struct layout *layout, struct gap *gap)
{
    const char *text = layout->tokens->text;
    size_t at = gap->start;
    const char *end;

    while ((end = memchr(text + at, '\n', gap->stop - at)) != NULL) {
        gap_take(gap, at, (size_t)(end - text));
        at = (size_t)(end - text) + 1;
    }
    if (gap->after == NULL) {
        gap_end(gap, at);
    } else {
        long indent = token_indent(gap, at);

        gap_line(gap, indent, "");
        layout->shift = indent - (long)gap->after->column;
    }
}

/* Blanks between two tokens of one line that are `written` apart. */
static size_t blanks_between(const struct layout_token *before,
    const struct layout_token *after, size_t written)
{
    size_t some = written == 0 ? 1 : written;

    if (before->kind == LAYOUT_OPEN || after->kind == LAYOUT_CLOSE ||
        after->kind == LAYOUT_COMMA || after->kind == LAYOUT_COLON) {
        return 0;
    }
    if (before->kind == LAYOUT_COMMA ||
        (before->kind == LAYOUT_COLON && before->depth > 0)) {
        return before->table ? some : 1;
    }
    if (before->kind == LAYOUT_DASH || before->kind == LAYOUT_QUESTION ||
        after->opens) {
        return 1;
    }
    return some;
}

static void gap_edit(struct layout *layout, size_t number)
{
    const struct layout_tokens *tokens = layout->tokens;
    struct gap gap = {.layout = layout, .stop = tokens->length};

    if (number > 0) {
        gap.before = &tokens->item[number - 1];
        gap.start = gap.before->end;
        gap.all_empty = gap.before->keeps;
    }
    if (number < tokens->count) {
        gap.after = &tokens->item[number];
        gap.stop = gap.after->start;
    }
    gap.first = gap.before != NULL;
    gap.at_top = gap.before == NULL;
    gap.text = talloc_strdup(layout->edits, "");
    if (gap.before != NULL && gap.after != NULL &&
        memchr(tokens->text + gap.start, '\n', gap.stop - gap.start) == NULL) {
        size_t blanks =
            blanks_between(gap.before, gap.after, gap.stop - gap.start);

        gap.text =
            talloc_asprintf_append_buffer(gap.text, "%*s", (int)blanks, "");
        layout->shift += (long)blanks - (long)(gap.stop - gap.start);
    } else {
        gap_lines(layout, &gap);
    }
    assert(gap.text != NULL);
    text_edits_add(layout->edits, gap.start, gap.stop - gap.start, gap.text);
    talloc_free(gap.text);
}

static void token_edit(struct layout *layout, size_t number)
{
    const struct layout_tokens *tokens = layout->tokens;
    const struct layout_token *token = &tokens->item[number];
    size_t outside = number == 0 ? 0 : tokens->item[number - 1].depth;
    size_t last = token->kind == LAYOUT_OPEN
                      ? layout_tokens_closing(tokens, number)
                      : number;

    if (outside == 0) {
        layout->hang = layout_scalar_hang(tokens, token->block, token->start,
            tokens->item[last].end, layout->shift);
    }
    layout_scalar_edit(layout->edits, tokens, token, layout->hang);
}

void layout_gaps_edit(
    struct text_edits *edits, const struct layout_tokens *tokens)
{
    struct layout layout = {.edits = edits, .tokens = tokens};

    for (size_t i = 0; i < tokens->count; i++) {
        gap_edit(&layout, i);
        token_edit(&layout, i);
    }
    gap_edit(&layout, tokens->count);
}
