/* fmt_gaps.h - the layout: what stands between the tokens of a text. */
#ifndef RUNNER_COMMANDS_FMT_FMT_GAPS_H
#define RUNNER_COMMANDS_FMT_FMT_GAPS_H

#include "scenarios/runner/commands/fmt/fmt_tokens.h"
#include "scenarios/runner/text/text_edit.h"

/* Adds what has to change in the text of the tokens. */
void fmt_gaps_edit(struct text_edits *edits, const struct fmt_tokens *tokens);

#endif
