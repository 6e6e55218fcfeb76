/* fmt_scalar.h - scalars of several lines: their lines move, what they say
 * stays. */
#ifndef RUNNER_COMMANDS_FMT_FMT_SCALAR_H
#define RUNNER_COMMANDS_FMT_FMT_SCALAR_H

#include "scenarios/runner/commands/fmt/fmt_tokens.h"
#include "scenarios/runner/text/text_edit.h"

/* Reads the head of a block scalar, and takes the empty lines behind its text
 * from it. */
void fmt_scalar_measure(
    const struct fmt_tokens *tokens, struct fmt_token *token);

/* Blanks before the text of a line, between two places; a tab counts as two. */
size_t fmt_scalar_lead(const char *text, size_t from, size_t to);

/* How far the lines behind the first one, from byte `from` to `to`, move when
 * the first one moves by `shift`: as far, but never left of what their block
 * allows. */
long fmt_scalar_hang(const struct fmt_tokens *tokens, size_t block, size_t from,
    size_t to, long shift);

/* Moves the lines of a scalar behind its first one by `shift` columns; those of
 * a block scalar go where its block goes. */
void fmt_scalar_edit(struct text_edits *edits, const struct fmt_tokens *tokens,
    const struct fmt_token *token, long shift);

#endif
