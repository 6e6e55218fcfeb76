/* layout_file.h - files for fmt: which are ours, and writing them in one step.
 */
#ifndef RUNNER_LAYOUT_LAYOUT_FILE_H
#define RUNNER_LAYOUT_LAYOUT_FILE_H

#include "scenarios/runner/yaml/diagnostics.h"

enum layout_result {
    LAYOUT_CLEAN,   /* laid out as it has to be */
    LAYOUT_CHANGED, /* there is a text that differs */
    LAYOUT_OTHER,   /* YAML, but none of ours */
    LAYOUT_INVALID, /* an error is in the diagnostics */
    LAYOUT_FAILED,  /* we could not lay it out */
};

/* Lays out a text; *made is the new one, child of `context`, if it differs. */
enum layout_result layout_file_lay_out(void *context,
    const struct source *source, struct diagnostics *diagnostics,
    const struct source **made);

/* Writes the text to a file that exists, all of it or nothing: a new file of
 * the same mode takes its place; a link stays one. False with errno set. */
bool layout_file_replace(const char *path, const char *text, size_t length);

#endif
