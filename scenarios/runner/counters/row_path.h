/* row_path.h - one number of what a collect gives, as save names it:
 * rows.0.values.Requests, rows.0.id. */
#ifndef RUNNER_COUNTERS_ROW_PATH_H
#define RUNNER_COUNTERS_ROW_PATH_H

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/reader.h"

/* Whether the text begins as one. */
bool row_path_is(const char *text);

/* Checks that the step has such a number, and gives its type. Returns false
 * after reporting. */
bool row_path_read(struct reader *reader, const struct step *step,
    const struct node *path, enum nt_type *type);

/* The number, of a collect that has ended. Returns false after reporting that
 * there is none. */
bool row_path_value(struct run *run, const struct outcome *outcome,
    const struct node *path, uint64_t *value);

/* Why a row has no value of that counter, for people. */
const char *row_why_no_value(
    const struct rows *rows, const struct step *step, const char *counter);

/* The id of a counter as the collect step's set has it; where nobody knows
 * which set that will be, as any set of the scenario's manifests has it, and
 * none has two of them. */
bool row_path_counter(const struct scenario *scenario, const struct step *step,
    const char *name, uint32_t *id);

#endif
