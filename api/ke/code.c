/* code.c - in an image of a driver, or a function of the host's that an actor
 * has for a callback. */
#include "api/ke/code.h"

#include <assert.h>
#include <stddef.h>

#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/kernel.h"

/* The host's function for the address; NULL: there is none. */
static code_function *host_function(struct kernel *kernel, uint64_t address)
{
    if (kernel->code_at != NULL) {
        return kernel->code_at(address);
    }
    return (code_function *)(uintptr_t)address;
}

bool code_is_at(struct kernel *kernel, uint64_t address)
{
    return image_is_code(kernel, address) ||
           host_function(kernel, address) != NULL;
}

uint64_t code_call(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS])
{
    code_function *function;

    if (image_at(kernel, address) != NULL) {
        return guest_call(kernel, address, argument);
    }
    function = host_function(kernel, address);
    assert(function != NULL);
    return function(argument[0], argument[1], argument[2], argument[3]);
}
