/* manifest_file.h - a counter manifest that the command line names. */
#ifndef RUNNER_COUNTERS_MANIFEST_FILE_H
#define RUNNER_COUNTERS_MANIFEST_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "api/ctrpp/manifest.h"
#include "scenarios/runner/yaml/source.h"

struct manifest_file {
    const char *path;
    const struct source *source; /* the file's bytes */
    const struct source *text;   /* as UTF-8; NULL: it is none */
    struct manifest_problems *problems;
    struct manifest *manifest; /* NULL: not read, or it has errors */
};

/* Reads the bytes. False after saying on `errors` why there are none. What it
 * makes is a child of `context`. */
bool manifest_file_open(
    void *context, struct manifest_file *file, const char *path, FILE *errors);

/* Reads the manifest in them, by these rulings and for code of these settings,
 * NULL for none (manifest_parse); problems are not yet said. */
void manifest_file_read(void *context, struct manifest_file *file,
    const struct ctrpp_settings *settings, const struct rulings *rulings);

/* Writes problems with their lines of `source`, the manifest's text, in the
 * form of diagnostics.h; NULL: there is no text to show. */
void manifest_file_print_problems(const struct manifest_problems *problems,
    const char *path, const struct source *source, FILE *out);

/* Says all problems. Returns whether none of them is an error. */
bool manifest_file_report(const struct manifest_file *file, FILE *errors);

#endif
