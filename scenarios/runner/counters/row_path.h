/* row_path.h - one number of what a collect gives, as save names it:
 * rows.0.values.Requests, rows.0.id. */
#ifndef RUNNER_COUNTERS_ROW_PATH_H
#define RUNNER_COUNTERS_ROW_PATH_H

#include "api/nt/type.h"
#include "scenarios/runner/counters/counter_scope.h"
#include "scenarios/runner/counters/rows.h"

/* Whether the text begins as one. */
bool row_path_is(const char *text);

/* Checks that the collection has such a number, and gives its type. Returns
 * false after reporting. */
bool row_path_read(const struct counter_scope *scope, const struct node *path,
    enum nt_type *type);

/* The number, of a collection for which that was asked (NULL: nobody knows).
 * Returns NULL, or why there is none, child of `context`. */
const char *row_path_value(void *context, const struct rows *rows,
    const struct asked *asked, const char *path, uint64_t *value);

/* Why a row has no value of that counter, for people. */
const char *row_path_why_no_value(
    const struct rows *rows, const struct asked *asked, const char *counter);

#endif
