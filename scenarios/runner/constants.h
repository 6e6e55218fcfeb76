/* constants.h - the names that may stand for a number in a scenario. */
#ifndef RUNNER_CONSTANTS_H
#define RUNNER_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/ke/irql_level.h"
#include "api/nt/type.h"
#include "scenarios/runner/suggest.h"

/* The value of a name as a value of `type` on `arch`. Returns false when no
 * name of that type is spelled so. */
bool constant_find(
    const char *name, enum nt_type type, enum arch arch, uint64_t *value);

/* Offers every name of the type. */
void constant_suggest(struct suggestion *suggestion, enum nt_type type);

#endif
