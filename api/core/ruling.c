/* ruling.c - what our [C] rulings are switched to in a kernel. */
#include "api/core/ruling.h"

#include <assert.h>

#include "api/core/kernel.h"

uint64_t ruling_number(const struct kernel *kernel, enum ruling ruling)
{
    uint64_t number = kernel->rulings.number[ruling];

    assert(number > 0 && number <= ruling_numbers[ruling].high);
    return number;
}

uint64_t ruling_number_or(
    const struct kernel *kernel, enum ruled number, uint64_t usual)
{
    assert(ruling_numbers[ruled_rows[number].ruling].usual == 0);
    return ruling_is(kernel, number)
               ? ruling_number(kernel, ruled_rows[number].ruling)
               : usual;
}
