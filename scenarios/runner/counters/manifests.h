/* manifests.h - counter manifests that scenarios name, each file read once. */
#ifndef RUNNER_COUNTERS_MANIFESTS_H
#define RUNNER_COUNTERS_MANIFESTS_H

#include "scenarios/runner/scenario/library.h"

struct manifest;

enum { MANIFEST_FILE_BYTES = 1 << 22 };

struct library_manifest {
    const char *path;                /* resolved; child of the library */
    const struct manifest *manifest; /* NULL: it has errors */
};

/* The manifest that the scalar names, its path counted from the scalar's file,
 * below `root`. False after reporting why there is none; what is wrong inside
 * of the file is reported once, and its warnings never are: they are the
 * manifest's author's. */
bool manifests_find(struct library *library, const struct schema *schema,
    const struct node *name, const char *root, struct library_manifest *found);

#endif
