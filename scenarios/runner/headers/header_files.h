/* header_files.h - headers: C files that a scenario names, which have
 * structures of the drivers' own. Each is compiled once for a library. */
#ifndef RUNNER_HEADERS_HEADER_FILES_H
#define RUNNER_HEADERS_HEADER_FILES_H

#include "scenarios/runner/language/structures.h"
#include "scenarios/runner/library/library.h"

/* Begins the structures of a scenario with those of the headers in the list,
 * NULL for none, with room for so many more; children of `context`. Reports
 * what is wrong. */
void header_files_read(struct library *library, const struct schema *schema,
    void *context, const struct node *list, size_t more,
    struct structures *structures);

#endif
