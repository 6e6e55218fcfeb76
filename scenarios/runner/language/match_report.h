/* match_report.h - what match.c says of a difference. */
#ifndef RUNNER_LANGUAGE_MATCH_REPORT_H
#define RUNNER_LANGUAGE_MATCH_REPORT_H

#include "scenarios/runner/language/match.h"

/* The values as text, child of the match's context. */
char *match_show(struct match *match, const struct actual *actual);

/* Notes the first difference: what was expected, what was there, where. Returns
 * false. */
bool match_differ(
    struct match *match, const struct node *node, const struct actual *actual);

#endif
