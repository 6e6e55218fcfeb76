/* history.h - how instances ended the last time that they ran, in a small file
 * of the user's cache: one for each directory that ntpmu is called in. */
#ifndef RUNNER_SELECTION_HISTORY_H
#define RUNNER_SELECTION_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/verdict.h"

struct history_entry {
    const char *id;
    enum result result;
};

/* `item` is in order of the ids once it was sorted. */
struct history {
    struct history_entry *item;
    size_t count;
};

/* The file of the current directory: below $XDG_CACHE_HOME/ntpmu, or else
 * ~/.cache/ntpmu. NULL: the environment names neither, or there is no current
 * directory. Child of `context`. */
char *history_path(void *context);

/* Child of `context`. NULL and *problem when there is no such file, or none
 * that this program has written. */
struct history *history_read(
    void *context, const char *path, const char **problem);

struct history *history_new(void *context);

/* Adds a result; of several of one id the last in results.def will count. */
void history_add(struct history *history, const char *id, enum result result);

/* The entry of an id; NULL: there is none. Only in one that was read. */
const struct history_entry *history_find(
    const struct history *history, const char *id);

/* Puts the new results into the file, where others stay; who reads it sees the
 * old file or the new one. False and *problem when it cannot be written. */
bool history_update(
    const char *path, struct history *results, const char **problem);

#endif
