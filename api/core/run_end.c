/* run_end.c - the end of a run that is no bug check, and why it came. */
#include "api/core/run_end.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/core/trace_events.h"

bool run_end_check(const struct run_end *end)
{
    assert((end->kind == RUN_GOES_ON) == (end->reason[0] == '\0'));
    return true;
}

_Noreturn void run_end_stop(
    struct kernel *kernel, enum run_end_kind kind, const char *format, ...)
{
    struct run_end *end = &kernel->end;
    struct cpu *cpu = kernel_cpu(kernel);
    va_list arguments;

    assert(kind != RUN_GOES_ON && end->kind == RUN_GOES_ON);
    end->kind = kind;
    va_start(arguments, format);
    vsnprintf(end->reason, sizeof(end->reason), format, arguments);
    va_end(arguments);
    assert(run_end_check(end));
    cpu_trace(cpu, &api_events[API_EVENT_RUN_END],
        trace_text(&cpu->machine->trace, end->reason));
    machine_stop(kernel->machine);
    /* A strand runs this, and none goes on. */
    abort();
}

void *run_needs(struct kernel *kernel, void *got, const char *what)
{
    if (got == NULL) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "this machine has no memory left for %s", what);
    }
    return got;
}

void *run_needs_memory(struct kernel *kernel, size_t size, const char *what)
{
    return run_needs(
        kernel, arena_alloc_for_guest(&kernel->machine->arena, size), what);
}

void *record_take(struct kernel *kernel, struct record_pool *pool, size_t size,
    const char *what)
{
    return run_needs(
        kernel, record_pool_take(pool, &kernel->machine->arena, size), what);
}
