/* described_sets.h - what describes the counter sets that ntpmu counters
 * shows: the scenario's manifests, and those of the command line. */
#ifndef RUNNER_COMMANDS_COUNTERS_DESCRIBED_SETS_H
#define RUNNER_COMMANDS_COUNTERS_DESCRIBED_SETS_H

#include <stdio.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/scenario/scenario.h"

struct described {
    const char *path;     /* as it was written */
    const char *resolved; /* as the host knows it */
    const struct manifest *manifest;
    bool asked; /* by --manifest */
    bool used;  /* one of its sets was looked for */
};

struct counter_manifests {
    struct described *item; /* children of the context that it began with */
    size_t count;
};

/* Reads the files of --manifest. Says on `errors` all that is wrong with any of
 * them, as ntpmu ctrpp does, and returns what to exit with; else EXIT_OK. */
enum exit_code counter_manifests_read(struct counter_manifests *manifests,
    void *context, const struct options *options, FILE *errors);

/* Adds the scenario's. A file that is named twice, and two manifests with the
 * same set, are a mistake: false after saying which. */
bool counter_manifests_add(struct counter_manifests *manifests, void *context,
    const struct scenario *scenario, FILE *errors);

/* What describes the set that is registered with that name; NULL: nothing. */
const struct manifest_set *counter_manifests_find(
    struct counter_manifests *manifests, const char *name);

/* Names of the sets that have one instance at most (instances="single"); sets
 * `name` to a new list, child of `context`. Returns how many. */
size_t counter_manifests_single(const struct counter_manifests *manifests,
    void *context, const char *const **name);

/* Names that somebody may mean with the word: itself and, where no manifest has
 * a set of that name, those of sets that have it as their symbol. Gives
 * name[0] to name[manifests->count] at most; returns how many. */
size_t counter_manifests_names(const struct counter_manifests *manifests,
    const char *word, const char **name);

/* Whether a set that is registered with that name is one of them. */
bool counter_manifests_means(const struct counter_manifests *manifests,
    const char *word, const char *registered);

/* Says which files of --manifest nothing was looked for in. Returns whether
 * there are none. */
bool counter_manifests_check_use(
    const struct counter_manifests *manifests, FILE *errors);

#endif
