/* stored_path.h - paths of registry keys and of files as a scenario writes
 * them: the names that they are made of, whatever they begin with. */
#ifndef RUNNER_LANGUAGE_STORED_PATH_H
#define RUNNER_LANGUAGE_STORED_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "api/nt/nt.h"
#include "scenarios/runner/language/schema.h"

enum { STORED_PATH_UNITS = 160 }; /* a key of YAML has fewer bytes */

/* Names with one backslash between them. */
struct stored_path {
    WCHAR unit[STORED_PATH_UNITS];
    size_t length;
};

/* A key's path, without \Registry. Returns false after reporting; without a
 * schema it was found valid. */
bool stored_path_of_key(const struct schema *schema, const struct node *node,
    struct stored_path *path);

/* A file's path from the root of the volume on. Likewise. */
bool stored_path_of_file(const struct schema *schema, const struct node *node,
    struct stored_path *path);

/* The next name from *at on, 0 at first; length 0 behind the last. */
struct stored_name {
    const WCHAR *unit;
    size_t length;
};
struct stored_name stored_path_next(const struct stored_path *path, size_t *at);

/* Whether they name the same, without case. */
bool stored_path_same(
    const struct stored_path *first, const struct stored_path *second);

/* The same of two names of values. */
bool stored_name_same(const char *first, const char *second);

/* Whether all names of the first are the second's, too, without case: it is
 * the same, or above it. */
bool stored_path_leads_to(
    const struct stored_path *first, const struct stored_path *second);

#endif
