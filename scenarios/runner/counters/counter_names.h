/* counter_names.h - counter sets and counters as a scenario calls them, by the
 * manifests that it names. */
#ifndef RUNNER_COUNTERS_COUNTER_NAMES_H
#define RUNNER_COUNTERS_COUNTER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/ctrpp/manifest.h"
#include "api/pcw/pcw.h"
#include "api/text/suggest.h"
#include "scenarios/runner/yaml/yaml_tree.h"

/* A counter manifest that a scenario names. */
struct named_manifest {
    const struct node *name;
    const char *path; /* resolved */
    const struct manifest *manifest;
    bool used;
};

struct named_manifests {
    struct named_manifest *item;
    size_t count;
    bool broken; /* errors about them were reported: those about counters that
                    are missing follow from them */
};

/* Whether the kernel takes the two for one name (PCW-REG-08a). */
bool counter_names_equal(const char *one, const char *other);

/* The set that is registered with that name; NULL: the manifest has none. */
const struct manifest_set *counter_names_registered(
    const struct manifest *manifest, const char *name);

/* How many instances the set has that is registered with that name, by
 * `manifests`, struct named_manifests; for the kernel (struct pcw_describer).
 */
enum pcw_instances counter_names_instances(
    const void *manifests, struct pcw_text name);

/* The set with that symbol; NULL: the manifest has none. */
const struct manifest_set *counter_names_symbol(
    const struct manifest *manifest, const char *symbol);

/* The set of that name or, where no manifest has one, with that symbol; NULL
 * when no manifest has it. */
const struct manifest_set *counter_names_set(
    const struct named_manifests *manifests, const char *name);

/* What two sets cannot share, since each is registered with its own. */
enum counter_names_shared {
    COUNTER_NAMES_APART,
    COUNTER_NAMES_SHARE_NAME, /* and perhaps the GUID, too: it is one set */
    COUNTER_NAMES_SHARE_GUID, /* called otherwise */
};

/* Which of it sets of two manifests share. */
enum counter_names_shared counter_names_share(
    const struct manifest_set *one, const struct manifest_set *other);

/* The set's name, or its symbol where it has none. */
const char *counter_names_call(const struct manifest_set *set);

/* The counter's id by its name, symbol or uri, the first that fits, or by the
 * number itself. `set` is NULL where no manifest describes it: numbers only.
 * False where there is none, or more than one. */
bool counter_names_find(
    const struct manifest_set *set, const char *name, uint32_t *id);

/* Whether the set has several such counters, and the ids of two: equal names,
 * or a name that is another counter's id. */
bool counter_names_are_two(
    const struct manifest_set *set, const char *name, uint32_t id[2]);

/* What people call the counter: its name or symbol; NULL: it has none, or is
 * not the set's. */
const char *counter_names_of(const struct manifest_set *set, uint32_t id);

/* Offers what counters of the set can be called. */
void counter_names_suggest(
    struct suggestion *suggestion, const struct manifest_set *set);

#endif
