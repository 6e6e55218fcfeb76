/* summary.h - what all mutants of a walk came to. */
#ifndef MUTATION_SUMMARY_H
#define MUTATION_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

/* `state` is the array of the lines of mutation.jsonl: first {"seed", "tree",
 * "module_tests", "under", "cited"}, then the mutants in their order. The
 * result is mutation.json:
 * {"seed", "tried", "stillborn", "same_code", "caught", "survived",
 * "share" (of caught and survived; null without any), "how": {word: count},
 * "files": [{"file", "caught", "survived", "share"}], "survivors": [mutant],
 * "hollow": [requirement that is cited and caught nothing], "under"}. Hollow is
 * null where the tests of the modules were asked, for the suite did not see
 * what they had noticed. */
json_t *summary_make(const json_t *state);

/* For people. */
void summary_print(const json_t *summary, FILE *out);

#endif
