/* record.h - what mutants came to, in this call and those before: the lines of
 * mutation.jsonl. */
#ifndef MUTATION_RECORD_H
#define MUTATION_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/mutation/walk.h"

/* By mutant; of several lines the last counts. A line that broke off is left
 * out, and a file that is not there is empty. The caller releases it. */
json_t *record_read(const char *path);

/* What is known of it; NULL where nothing is, and where its file was another
 * one when it was tried. Belongs to the record. */
json_t *record_of(
    const json_t *record, const struct walk_file *file, size_t mutant);

/* {"sum", "tree"}, what planted_write() adds so that record_of() finds it. */
json_t *record_marks(const struct walk_file *file, const char *tree);

enum record_wanted { RECORD_NEW, RECORD_SURVIVORS };

/* Whether to try it: a new one has no line; a survivor was let pass by the
 * tests of another tree. Equivalents are never tried. */
bool record_wants(const json_t *record, const struct walk *walk,
    const struct walk_site *site, enum record_wanted wanted, const char *tree);

/* What is known of all of the walk, in its order, without equivalents. */
json_t *record_lines(const json_t *record, const struct walk *walk);

#endif
