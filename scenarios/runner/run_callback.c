/* run_callback.c - a callback of the scenario was called: its body runs on the
 * strand that called it. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run.h"
#include "scenarios/runner/value.h"

static void note_handler(struct run *run, const struct handler_run *handler)
{
    if (run->handler_count == run->handler_capacity) {
        run->handler_capacity =
            run->handler_capacity == 0 ? 16 : 2 * run->handler_capacity;
        run->handler = talloc_realloc(run->context, run->handler,
            struct handler_run, (unsigned)run->handler_capacity);
        assert(run->handler != NULL);
    }
    run->handler[run->handler_count++] = *handler;
}

/* What the body gives back. */
static uint64_t callback_result(
    struct run *run, const struct callback *callback)
{
    enum nt_type type = callback_rows[callback->type].returns;
    uint64_t value = 0;

    run->scope.branch = callback->branch;
    run->scope.frame = 0;
    run->scope.statics = run->scenario->frame[0].statics;
    if (callback->returns != NULL &&
        !value_scalar(&run->scope, callback->returns, type, &value)) {
        run_fail(run, RESULT_ERROR, run->open, callback->returns, "%s",
            run->scope.failure);
        run->scope.failure = NULL;
    }
    return value;
}

uint64_t run_called_back(
    void *context, size_t n, const uint64_t argument[CODE_ARGUMENTS])
{
    struct run *run = context;
    const struct callback *callback = &run->scenario->callback[n];
    const struct callback_row *row = &callback_rows[callback->type];
    struct cpu *cpu = kernel_cpu(&run->session->kernel);
    struct handler_run handler = {
        .callback = n,
        .processor = cpu->index,
        .irql = irql_current(&run->session->kernel, cpu),
    };

    memcpy(handler.argument, argument, sizeof(handler.argument));
    note_handler(run, &handler);
    run->called[n] = true;
    for (size_t i = 0;
         i < CALLBACK_PARAMETERS && row->parameter[i].name != NULL; i++) {
        run->scope.binding[callback->parameter[i]] =
            (struct binding){.value = argument[i], .set = true};
    }
    run_steps_here(run, &callback->steps, run->open, NULL);
    return callback_result(run, callback);
}
