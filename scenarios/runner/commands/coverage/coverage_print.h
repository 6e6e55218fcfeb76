/* coverage_print.h - an account of coverage as text and as JSON. */
#ifndef RUNNER_COMMANDS_COVERAGE_COVERAGE_PRINT_H
#define RUNNER_COMMANDS_COVERAGE_COVERAGE_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "scenarios/runner/commands/coverage/coverage.h"

/* 80 columns: the totals, families, families by place, requirements that want
 * something done. Of long lists the beginning, unless `verbose`. */
void coverage_print_text(
    const struct coverage *coverage, bool verbose, FILE *out);

/* A list of {id, family, tag, status, untestable, on}: `untestable`, the
 * entry's reason, is left out where it has none; `on` has the status in each
 * place, "WIN11/x64", where something was evaluated. */
void coverage_print_json(const struct coverage *coverage, FILE *out);

#endif
