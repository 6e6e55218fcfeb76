/* place.c - where in a driver's code something happened: asks whoever loads
 * images. */
#include "api/core/place.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "sim/machine/strand.h"

uint64_t place_current(struct kernel *kernel)
{
    return place_of_strand(kernel, strand_current(kernel->machine));
}

uint64_t place_of_strand(struct kernel *kernel, struct strand *strand)
{
    return strand == NULL ? 0
                          : kernel->hooks->places->of_strand(kernel, strand);
}

void place_name(
    struct kernel *kernel, uint64_t address, char *text, size_t size)
{
    assert(size > 0);
    kernel->hooks->places->name(kernel, address, text, size);
    assert(memchr(text, '\0', size) != NULL);
}

const char *place_function(struct kernel *kernel, uint64_t address)
{
    return kernel->hooks->places->function(kernel, address);
}

size_t place_callers(struct kernel *kernel, uint64_t *address, size_t most)
{
    size_t count = kernel->hooks->places->callers(kernel, address, most);

    assert(count <= most);
    return count;
}

size_t place_stack(struct kernel *kernel, struct strand *strand,
    struct place_call *call, size_t most)
{
    size_t count;

    assert(most <= PLACE_STACK);
    count = kernel->hooks->places->stack(kernel, strand, call, most);
    assert(count <= most);
    return count;
}
