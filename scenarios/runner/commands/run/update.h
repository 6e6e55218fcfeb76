/* update.h - what --update does: expected values that stand in the files of
 * scenarios, and were not met by any instance that ran, are replaced by those
 * that were there. */
#ifndef RUNNER_COMMANDS_RUN_UPDATE_H
#define RUNNER_COMMANDS_RUN_UPDATE_H

#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/run/exit_code.h"

struct update;

/* Child of `context`. */
struct update *update_new(void *context);

/* Takes note of a result. Only one that is FAIL says what a value would have to
 * be; one that passed, or failed as it is expected to, what it may not become.
 */
void update_take(struct update *update, const struct batch_result *result);

/* Writes the files, and a line to `out` for each value, written or not.
 * `code` is what the run would exit with; returns what to exit with instead. */
enum exit_code update_apply(
    struct update *update, enum exit_code code, FILE *out);

#endif
