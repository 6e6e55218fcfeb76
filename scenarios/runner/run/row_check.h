/* row_check.h - whether what is expected of a row can be there, as far as that
 * is known before anything runs. */
#ifndef RUNNER_RUN_ROW_CHECK_H
#define RUNNER_RUN_ROW_CHECK_H

#include "scenarios/runner/scenario/reader.h"

/* Reports what is wrong with an entry of rows, expected of that collect. */
void row_check(
    struct reader *reader, const struct step *step, const struct node *row);

/* Whether a matcher says `none` anywhere, of a value that was not given. */
bool row_says_none(const struct node *matcher);

#endif
