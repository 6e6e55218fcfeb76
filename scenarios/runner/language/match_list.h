/* match_list.h - a list of expected values, or a repeat of one. */
#ifndef RUNNER_LANGUAGE_MATCH_LIST_H
#define RUNNER_LANGUAGE_MATCH_LIST_H

#include "scenarios/runner/language/match.h"

/* As match_values(). Of a list of plain values the comparison is noted as one,
 * because such a list can be written anew as a whole. */
bool match_list(
    struct match *match, const struct node *node, const struct actual *actual);

#endif
