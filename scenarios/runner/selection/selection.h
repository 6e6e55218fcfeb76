/* selection.h - what a command that works on scenarios goes on with: the files
 * judged, their errors told, and the instances that are wanted, in order. */
#ifndef RUNNER_SELECTION_SELECTION_H
#define RUNNER_SELECTION_SELECTION_H

#include <stdio.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/scenario/suite.h"

/* Reads the options' paths, with the values that they give parameters, and
 * marks what their lists say fails. Child of `context`. */
struct suite *selection_read(void *context, const struct options *options);

/* What the files alone decide; EXIT_OK when there is something to go on with.
 */
enum exit_code selection_judge_files(const struct suite *suite);

/* The errors of the files, and the files that are none of ours. */
void selection_print_files(const struct suite *suite, FILE *out);

/* Leaves in the suite the instances that the options choose, in the order that
 * they ask for. When nothing is left it says why on `errors`, and returns what
 * to exit with; else EXIT_OK. */
enum exit_code selection_apply(
    struct suite *suite, const struct options *options, FILE *errors);

/* The same for a command that works on one instance: EXIT_OK when one is left.
 * Tells of the files, too. */
enum exit_code selection_apply_one(
    struct suite *suite, const struct options *options, FILE *errors);

#endif
