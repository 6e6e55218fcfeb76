/* fmt_diff.h - what fmt would change, line by line. */
#ifndef RUNNER_COMMANDS_FMT_FMT_DIFF_H
#define RUNNER_COMMANDS_FMT_FMT_DIFF_H

#include <stdio.h>

#include "scenarios/runner/yaml/source.h"

/* Prints the lines that differ as in a unified diff without context; tabs, CRs
 * and blanks at the end of a line as \t, \r and \s. `after` has the lines of
 * `before`, without some of those that have no text. */
void fmt_diff_print(
    const struct source *before, const struct source *after, FILE *out);

#endif
