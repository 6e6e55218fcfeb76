/* suite_file.h - another file that a scenario names: beside it or below, never
 * outside of the suite. */
#ifndef RUNNER_LIBRARY_SUITE_FILE_H
#define RUNNER_LIBRARY_SUITE_FILE_H

#include "scenarios/runner/language/schema.h"

struct suite_file {
    const struct node *name;   /* which begins with the path */
    size_t length;             /* of the path, bytes */
    const char *what, *plural; /* "fragment", "fragments" */
    enum diagnostic_code code;
};

/* The path from the working directory, child of the name's source. NULL after
 * reporting why there is no such file below `root`. */
char *suite_file_path(const struct schema *schema,
    const struct suite_file *file, const char *root);

#endif
