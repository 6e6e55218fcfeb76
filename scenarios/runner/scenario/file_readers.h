/* file_readers.h - the files of a suite read by several threads. Each has a
 * library of its own, so that none waits for another; what is found is the same
 * as if one had read them in their order. */
#ifndef RUNNER_SCENARIO_FILE_READERS_H
#define RUNNER_SCENARIO_FILE_READERS_H

#include "scenarios/runner/scenario/scenario_file.h"

/* A file, and what it holds. */
struct file_read {
    const char *path;
    bool named; /* itself, not a directory above it */
    enum file_kind kind;
    struct outline *outline; /* of a scenario; else NULL */
};

/* Reads them by so many threads; `library` has what they need and gets what
 * they note in it. Memory is a child of `context`. False where anything is
 * wrong with any of them, or depends on who has read it: then nothing has
 * happened, and one thread has to read them. */
bool file_readers_read(void *context, struct library *library,
    struct file_read *file, size_t count, unsigned threads);

#endif
