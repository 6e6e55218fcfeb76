/* callback.h - real functions that a driver's callbacks are: the address goes
 * to the kernel, and a call comes back here. */
#ifndef RUNNER_LANGUAGE_CALLBACK_H
#define RUNNER_LANGUAGE_CALLBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/driver.h"
#include "api/ke/code.h"
#include "api/nt/type.h"

enum { SCENARIO_CALLBACKS = 16, CALLBACK_PARAMETERS = CODE_ARGUMENTS };

enum callback_type {
#define CALLBACK_TYPE(name, ...) CALLBACK_##name,
#include "scenarios/runner/language/callbacks.def"
    CALLBACK_TYPE_COUNT
};

struct callback_parameter {
    const char *name; /* NULL: there are no more */
    enum nt_type type;
    enum nt_type pointee; /* of a pointer that the body can look behind; else
                             NT_VOID */
    bool entries; /* of an event buffer, which type the scenario's machine says
                   */
};

struct callback_row {
    const char *name;
    enum nt_type type, returns;
    struct callback_parameter parameter[CALLBACK_PARAMETERS];
};

extern const struct callback_row callback_rows[CALLBACK_TYPE_COUNT];

/* The address of the n-th callback, n < SCENARIO_CALLBACKS, as the guest knows
 * it: the same in every run. */
uint64_t callback_address(size_t n);

/* The function behind a guest address; NULL when it is no callback's. */
code_function *callback_at(uint64_t address);

/* Who is told of calls: the run that goes on. What it gives back is the
 * callback's result. NULL: nobody, and a call is a failure of ours. */
void callback_on_call(uint64_t (*called)(void *context, size_t n,
                          const uint64_t argument[CODE_ARGUMENTS]),
    void *context);

#endif
