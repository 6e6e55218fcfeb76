/* layout_scalar.c - scalars of several lines in a file that is laid out: how
 * far their lines move. */
#include "scenarios/runner/layout/layout_scalar.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/layout/layout_comment.h"

static size_t line_end(const char *text, size_t at, size_t limit)
{
    const char *end = memchr(text + at, '\n', limit - at);

    return end == NULL ? limit : (size_t)(end - text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The column of a block scalar's lines, found as libyaml does: that of its
 * first line with text, or of a longer line of blanks before it. */
static size_t find_text_column(
    const struct layout_tokens *tokens, size_t at, size_t limit, long column)
{
    size_t found = column < 0 ? 1 : (size_t)column + 1;

    while (at < limit) {
        size_t end = line_end(tokens->text, at, limit);
        size_t spaces = strspn(tokens->text + at, " ");

        found = spaces > found ? spaces : found;
        if (at + spaces < end) {
            break;
        }
        at = end + 1;
    }
    return found;
}

/* What may follow | and >. */
static const char head_signs[] = "+-123456789";

void layout_scalar_measure(
    const struct layout_tokens *tokens, struct layout_token *token)
{
    long column = tokens->block[token->block].column;
    size_t limit = token->end;
    size_t at = token->start + 1;
    size_t digit = 0;

    for (; at < limit && strchr(head_signs, tokens->text[at]) != NULL; at++) {
        char sign = tokens->text[at];

        token->keeps |= sign == '+';
        token->strips |= sign == '-';
        digit = isdigit((unsigned char)sign) ? (size_t)(sign - '0') : digit;
    }
    token->end = at;
    at = line_end(tokens->text, at, limit);
    token->text_column = digit != 0
                             ? (column < 0 ? 0 : (size_t)column) + digit
                             : find_text_column(tokens, at + 1, limit, column);
    while (at < limit) {
        size_t start = at + 1;

        at = line_end(tokens->text, start, limit);
        if (start + token->text_column < at) {
            token->end = at; /* a line with text, if only more blanks */
        }
    }
}

size_t layout_scalar_lead(const char *text, size_t from, size_t to)
{
    size_t lead = 0;

    for (; from < to && is_blank(text[from]); from++) {
        lead += text[from] == '\t' ? 2 : 1;
    }
    return lead;
}

long layout_scalar_hang(const struct layout_tokens *tokens, size_t block,
    size_t from, size_t to, long shift)
{
    long indent = tokens->block[block].indent;
    long bracket = indent < 0 ? 0 : indent;
    long least = indent < 0 ? 0 : indent + 1;
    long usual = indent < 0 ? 0 : indent + 2;
    long more = 0;
    bool flow = strchr("[{", tokens->text[from]) != NULL;

    for (size_t at = line_end(tokens->text, from, to) + 1; at < to;
         at = line_end(tokens->text, at, to) + 1) {
        size_t lead = layout_scalar_lead(tokens->text, at, to);
        char first = tokens->text[at + strspn(tokens->text + at, " \t")];
        bool closes = flow && (first == ']' || first == '}');
        long column = (long)lead + shift;
        long want = closes ? bracket : usual;

        if (first != '\n' && column < (closes ? bracket : least) &&
            want - column > more) {
            more = want - column;
        }
    }
    return shift + more;
}

/* Blanks that the end of the line loses; one that is escaped stays. */
static size_t trailing_blanks(
    const char *text, size_t start, size_t end, bool escapes)
{
    size_t at = end;
    size_t slashes = 0;

    while (at > start && is_blank(text[at - 1])) {
        at--;
    }
    while (at - slashes > start && text[at - slashes - 1] == '\\') {
        slashes++;
    }
    return end - at - (escapes && at < end && slashes % 2 == 1 ? 1 : 0);
}

/* Lines that are folded: blanks at either side of a line end are no text. */
static void edit_folded(struct text_edits *edits,
    const struct layout_tokens *tokens, const struct layout_token *token,
    long shift)
{
    const char *text = tokens->text;
    size_t at = token->start;

    for (bool first = true; at < token->end; first = false) {
        size_t end = line_end(text, at, token->end);
        size_t blanks = strspn(text + at, " \t");
        size_t trailing = 0;

        if (!first && at + blanks < end) {
            long column = (long)layout_scalar_lead(text, at, end) + shift;

            text_edits_add(edits, at, blanks,
                talloc_asprintf(
                    edits, "%*s", column < 0 ? 0 : (int)column, ""));
        }
        if (end < token->end) {
            trailing = trailing_blanks(
                text, at, end, token->kind == LAYOUT_DOUBLE_QUOTED);
        }
        text_edits_add(edits, end - trailing, trailing, "");
        at = end + 1;
    }
}

static void edit_block(struct text_edits *edits,
    const struct layout_tokens *tokens, const struct layout_token *token)
{
    const struct layout_block *block = &tokens->block[token->block];
    const char *text = tokens->text;
    long column = (long)token->text_column + block->indent - block->column;
    char *lead = talloc_asprintf(edits, "%*s", (int)column, "");
    size_t head =
        token->start + 1 + strspn(text + token->start + 1, head_signs);
    size_t at = line_end(text, token->start, token->end);

    text_edits_add(edits, head, at - head,
        layout_comment_behind(edits, text + head, at - head));
    while (at < token->end) {
        size_t start = at + 1;

        at = line_end(text, start, token->end);
        if (at - start <= token->text_column) {
            text_edits_add(edits, start, at - start, "");
        } else {
            text_edits_add(edits, start, token->text_column, lead);
        }
    }
}

void layout_scalar_edit(struct text_edits *edits,
    const struct layout_tokens *tokens, const struct layout_token *token,
    long shift)
{
    if (token->kind == LAYOUT_BLOCK_SCALAR) {
        edit_block(edits, tokens, token);
    } else if (token->end_line > token->line) {
        edit_folded(edits, tokens, token, shift);
    }
}
