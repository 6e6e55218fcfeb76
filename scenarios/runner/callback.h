/* callback.h - real functions that a driver's callbacks are: the address goes
 * to the kernel, and a call comes back here. */
#ifndef RUNNER_CALLBACK_H
#define RUNNER_CALLBACK_H

#include <stddef.h>
#include <stdint.h>

#include "api/ke/code.h"

/* The address of the n-th callback, n < SCENARIO_CALLBACKS, as the guest knows
 * it: the same in every run. */
uint64_t callback_address(size_t n);

/* The function behind a guest address; NULL when it is no callback's. */
code_function *callback_at(uint64_t address);

/* Who is told of calls: the run that goes on. NULL: nobody, and a call is a
 * failure of ours. */
void callback_on_call(void (*called)(void *context, size_t n,
                          uint64_t OverflowBits, uint64_t OwningHandle),
    void *context);

#endif
