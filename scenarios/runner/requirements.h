/* requirements.h - the requirements that expectations cite: id, evidence tag,
 * source and our own words, from scenarios/requirements/. */
#ifndef RUNNER_REQUIREMENTS_H
#define RUNNER_REQUIREMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/schema.h"

struct requirement {
    const char *id;
    char tag;           /* D documented, H header, O observed, C our ruling */
    const char *source; /* where it is from */
    const char *text;   /* in our own words */
};

struct requirements {
    struct requirement *item; /* in order of their ids */
    size_t count;
};

/* Those that this program was built with, child of `context`. An error in them
 * is the project's own; it is reported to `diagnostics`. */
struct requirements *requirements_built_in(
    void *context, struct diagnostics *diagnostics);

/* Adds those of one file's tree. */
void requirements_read(struct requirements *requirements,
    const struct schema *schema, const struct node *root);

/* NULL when there is none with this id. */
const struct requirement *requirements_find(
    const struct requirements *requirements, const char *id);

#endif
