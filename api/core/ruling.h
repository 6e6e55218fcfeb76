/* ruling.h - what our [C] rulings are switched to in a kernel. What can be
 * switched is nt/rulings.def. */
#ifndef API_CORE_RULING_H
#define API_CORE_RULING_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/rulings.h"

struct kernel;

/* Whether this value of its ruling holds. */
static inline bool ruling_is(const struct kernel *kernel, enum ruled value);

/* The number that holds for a ruling whose value is `number`. */
uint64_t ruling_number(const struct kernel *kernel, enum ruling ruling);

#endif
