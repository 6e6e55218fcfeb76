/* stores.h - what outlives a driver: the registry and the files of a run, given
 * before it begins and looked at by expectations. */
#ifndef RUNNER_SCENARIO_STORES_H
#define RUNNER_SCENARIO_STORES_H

#include <stdbool.h>

#include "scenarios/runner/language/scope.h"
#include "scenarios/runner/language/stored_path.h"

struct kernel;
struct registry_key;
struct registry_value;
struct scenario;
struct volume_file;

/* The word that stands for the value of a key that has no name. */
#define STORES_DEFAULT_VALUE "(default)"

/* Makes the keys, values and files that the scenario begins with, in the
 * scope's kernel. Returns the key of the one that there was no room for; NULL:
 * all are there. */
const struct node *stores_place(
    struct scope *scope, void *context, const struct scenario *scenario);

/* NULL: it is not there. */
struct registry_key *stores_find_key(
    struct kernel *kernel, const struct stored_path *path);
const struct registry_value *stores_find_value(
    const struct registry_key *key, const char *name);
const struct volume_file *stores_find_file(
    struct kernel *kernel, const struct stored_path *path);

#endif
