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

/* The same for a ruling whose default is no number: `number` is its value of
 * that name, and where another one holds that is `usual`. */
uint64_t ruling_number_or(
    const struct kernel *kernel, enum ruled number, uint64_t usual);

#endif
