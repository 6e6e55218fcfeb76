/* summary.h - what all mutants of a walk came to. */
#ifndef MUTATION_SUMMARY_H
#define MUTATION_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

/* `head` is {"seed", "module_tests", "under", "cited", "equivalent"}, the last
 * being how many mutants are known to be none; `lines` are those that were
 * tried (record.h). The result is mutation.json:
 * {"seed", "tried", "stillborn", "same_code", "equivalent", "caught",
 * "survived", "share" (of caught and survived; null without any), "how": {word:
 * count}, "files": [{"file", "caught", "survived", "share"}], "survivors":
 * [mutant], "hollow": [requirement that is cited and caught nothing], "under"}.
 * Hollow is null where the tests of the modules were asked, for the suite did
 * not see what they had noticed. */
json_t *summary_make(const json_t *head, const json_t *lines);

/* For people. */
void summary_print(const json_t *summary, FILE *out);

#endif
