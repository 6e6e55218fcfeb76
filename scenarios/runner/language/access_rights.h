/* access_rights.h - the rights that a file is opened with, as a scenario
 * writes them: by number, by name, or a list of these. */
#ifndef RUNNER_LANGUAGE_ACCESS_RIGHTS_H
#define RUNNER_LANGUAGE_ACCESS_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/language/schema.h"

/* Returns false after reporting. */
bool access_rights_read(
    const struct schema *schema, const struct node *node, uint32_t *rights);

#endif
