/* run_callback.h - a callback of the scenario is called, or a routine that it
 * answers for: what stands there is done on the strand that called it. */
#ifndef RUNNER_RUN_RUN_CALLBACK_H
#define RUNNER_RUN_RUN_CALLBACK_H

#include <stddef.h>
#include <stdint.h>

#include "api/ke/code.h"

struct handler_run;
struct own_bindings;
struct run;

/* The n-th was called; `context` is the run. */
uint64_t run_called_back(
    void *context, size_t n, const uint64_t argument[CODE_ARGUMENTS]);

/* A callback begins to run, or, with a number behind those, a routine that the
 * scenario answers for: `expect: handler` looks at it. */
void run_note_call(
    struct run *run, size_t callee, const uint64_t argument[CODE_ARGUMENTS]);
void run_note_handler(struct run *run, const struct handler_run *handler);

/* Variables of the callback that the running strand is in the body of; NULL: in
 * none. */
const struct own_bindings *run_own_bindings(const struct run *run);

/* From now on the run's kernel, which has just booted, has the routines that
 * the scenario answers for. */
void run_answers_begin(struct run *run);

/* An answer that no driver has imported is an error. */
void run_answers_report(struct run *run);

#endif
