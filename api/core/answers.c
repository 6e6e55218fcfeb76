/* answers.c - a call of a routine that somebody answers for: what gate.c does
 * around one that is modelled, as far as it is known of any routine. */
#include "api/core/answers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/show.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"

/* Of every call [C]: what the routine costs on Windows nobody knows here. */
enum { ANSWER_CYCLES = 100, ANSWER_INSTRUCTIONS = 60 };

size_t answers_count(const struct kernel *kernel)
{
    return kernel->answers == NULL ? 0 : kernel->answers->count;
}

bool answers_find(const struct kernel *kernel, const char *name, size_t *n)
{
    for (size_t i = 0; i < answers_count(kernel); i++) {
        if (strcmp(kernel->answers->item[i].name, name) == 0) {
            *n = i;
            return true;
        }
    }
    return false;
}

void answer_store_show(
    const struct answer_store *store, char *text, size_t size)
{
    char at[24] = "NULL";

    if (store->at != 0) {
        snprintf(at, sizeof(at), "0x%" PRIX64, store->at);
    }
    text[0] = '\0';
    if (store->routine != NULL) {
        snprintf(text, size, "%zu byte%s stored at Argument%u of %s, %s",
            store->size, store->size == 1 ? "" : "s", store->argument,
            store->routine, at);
    }
}

/* How many arguments it has is not known, so none are shown. */
static void trace_call(struct kernel *kernel, struct cpu *cpu, const char *name)
{
    struct trace *trace = &kernel->machine->trace;

    if (!trace->off) {
        cpu_trace_now(cpu, &api_events[API_EVENT_CALL], trace_text(trace, name),
            trace_text(trace, "(..)"));
    }
}

static void trace_return(
    struct kernel *kernel, struct cpu *cpu, const char *name, uint64_t result)
{
    struct trace *trace = &kernel->machine->trace;
    char text[SHOW_VALUE_BYTES];

    if (!trace->off) {
        show_value(kernel, NT_ULONG_PTR, &result, text, sizeof(text));
        cpu_trace_now(cpu, &api_events[API_EVENT_RETURN_VALUE],
            trace_text(trace, name), trace_text(trace, text));
    }
}

uint64_t answers_call(
    struct kernel *kernel, size_t n, const uint64_t argument[ANSWER_ARGUMENTS])
{
    const struct answers *answers = kernel->answers;
    struct cpu *cpu = kernel_cpu(kernel);
    const struct thread *thread = thread_current(kernel);
    struct schedule_footprint touches;
    uint64_t result;

    assert(n < answers_count(kernel));
    trace_call(kernel, cpu, answers->item[n].name);
    if (kernel_processor(kernel, cpu)->before_call != NULL) {
        kernel_processor(kernel, cpu)->before_call(kernel, cpu, ROUTINE_COUNT);
        cpu = kernel_cpu(kernel);
    }
    cpu_spend(cpu, ANSWER_CYCLES, ANSWER_INSTRUCTIONS);
    cpu_checkpoint(cpu);
    touches = strand_touches(kernel->machine, SCHEDULE_EVERYTHING);
    result = answers->give(answers->context, n, argument);
    assert(thread == thread_current(kernel));
    (void)thread;
    cpu = kernel_cpu(kernel); /* the thread may have moved */
    trace_return(kernel, cpu, answers->item[n].name, result);
    strand_touches(kernel->machine, touches);
    cpu_checkpoint(cpu);
    return result;
}
