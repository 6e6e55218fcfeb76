/* ruling.c - what our [C] rulings are switched to in a kernel. */
#include "api/core/ruling.h"

#include <assert.h>

#include "api/core/kernel.h"

bool ruling_is(const struct kernel *kernel, enum ruled value)
{
    return rulings_have(&kernel->rulings, value);
}

uint64_t ruling_number(const struct kernel *kernel, enum ruling ruling)
{
    assert(kernel->rulings.number[ruling] > 0);
    return kernel->rulings.number[ruling];
}
