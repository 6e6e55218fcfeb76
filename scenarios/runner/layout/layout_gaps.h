/* layout_gaps.h - the layout: what stands between the tokens of a text. */
#ifndef RUNNER_LAYOUT_LAYOUT_GAPS_H
#define RUNNER_LAYOUT_LAYOUT_GAPS_H

#include "scenarios/runner/layout/layout_tokens.h"
#include "scenarios/runner/text/text_edit.h"

/* Adds what has to change in the text of the tokens. */
void layout_gaps_edit(
    struct text_edits *edits, const struct layout_tokens *tokens);

#endif
