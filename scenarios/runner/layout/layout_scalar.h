/* layout_scalar.h - scalars of several lines: their lines move, what they say
 * stays. */
#ifndef RUNNER_LAYOUT_LAYOUT_SCALAR_H
#define RUNNER_LAYOUT_LAYOUT_SCALAR_H

#include "scenarios/runner/layout/layout_tokens.h"
#include "scenarios/runner/text/text_edit.h"

/* Reads the head of a block scalar, and takes the empty lines behind its text
 * from it. */
void layout_scalar_measure(
    const struct layout_tokens *tokens, struct layout_token *token);

/* Blanks before the text of a line, between two places; a tab counts as two. */
size_t layout_scalar_lead(const char *text, size_t from, size_t to);

/* How far the lines behind the first one, from byte `from` to `to`, move when
 * the first one moves by `shift`: as far, but never left of what their block
 * allows. */
long layout_scalar_hang(const struct layout_tokens *tokens, size_t block,
    size_t from, size_t to, long shift);

/* Moves the lines of a scalar behind its first one by `shift` columns; those of
 * a block scalar go where its block goes. */
void layout_scalar_edit(struct text_edits *edits,
    const struct layout_tokens *tokens, const struct layout_token *token,
    long shift);

#endif
