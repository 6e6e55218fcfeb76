/* code.c - calling code by its address: in an image of a driver, or a function
 * of the host's that an actor has for a callback. */
#include "api/ke/code.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"

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
    return host_function(kernel, address) != NULL ||
           kernel->hooks->native_code->is_code(kernel, address);
}

bool code_is_native(struct kernel *kernel, uint64_t address)
{
    return kernel->hooks->native_code->is_image(kernel, address);
}

const char *code_transient_section(struct kernel *kernel, uint64_t address)
{
    return kernel->hooks->native_code->transient_section(kernel, address);
}

bool code_is_checked(struct kernel *kernel, uint64_t address)
{
    return code_is_native(kernel, address)
               ? kernel->hooks->native_code->is_checked(kernel, address)
               : host_function(kernel, address) != NULL;
}

uint64_t code_of_routine(struct kernel *kernel, enum routine routine)
{
    return kernel->hooks->native_code->thunk(kernel, routine);
}

/* What the function does is no doing of the native code that it interrupts. */
static uint64_t call_host(struct kernel *kernel, code_function *function,
    const uint64_t argument[CODE_ARGUMENTS])
{
    struct thread *thread = thread_current(kernel);
    const struct guest_frame *covered = thread->covered;
    uint64_t result;

    thread->covered = thread->guest;
    result = function(argument[0], argument[1], argument[2], argument[3],
        argument[4], argument[5]);
    assert(thread_current(kernel) == thread);
    assert(thread->covered == thread->guest); /* what it called has left */
    thread->covered = covered;
    return result;
}

uint64_t code_call(struct kernel *kernel, uint64_t address,
    const uint64_t argument[CODE_ARGUMENTS])
{
    code_function *function;

    memory_settle(&kernel->machine->memory);
    if (code_is_native(kernel, address)) {
        return kernel->hooks->native_code->call(kernel, address, argument);
    }
    function = host_function(kernel, address);
    assert(function != NULL);
    return call_host(kernel, function, argument);
}
