/* fmt_file.h - files for fmt: which are ours, and writing them in one step. */
#ifndef RUNNER_COMMANDS_FMT_FMT_FILE_H
#define RUNNER_COMMANDS_FMT_FMT_FILE_H

#include "scenarios/runner/yaml/diagnostics.h"

enum fmt_result {
    FMT_CLEAN,   /* laid out as it has to be */
    FMT_CHANGED, /* there is a text that differs */
    FMT_OTHER,   /* YAML, but none of ours */
    FMT_INVALID, /* an error is in the diagnostics */
    FMT_FAILED,  /* we could not lay it out */
};

/* Lays out a text; *made is the new one, child of `context`, if it differs. */
enum fmt_result fmt_file_lay_out(void *context, const struct source *source,
    struct diagnostics *diagnostics, const struct source **made);

/* Writes the text to a file that exists, all of it or nothing: a new file of
 * the same mode takes its place; a link stays one. False with errno set. */
bool fmt_file_replace(const char *path, const char *text, size_t length);

#endif
