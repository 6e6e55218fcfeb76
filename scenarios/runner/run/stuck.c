/* stuck.c - where drivers' code was when a machine came to no end. */
#include "scenarios/runner/run/stuck.h"

#include <stdio.h>
#include <talloc.h>

#include "api/core/driver.h"
#include "api/core/place.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/ke/awaited.h"
#include "api/ke/wait.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

enum { PARKED_SHOWN = 16, CALLS_SHOWN = PLACE_STACK - 1 };

/* As scenarios number them. */
static const char *step_number(const void *context, uint32_t n)
{
    const struct run *run = context;

    return scenario_step(run->scenario, n)->number;
}

/* "sampler.sys+0x1234 (Wait+0x12)", or "step 3.drvA.2". */
static void call_text(
    struct run *run, const struct place_call *call, char *text, size_t size)
{
    if (call->step == 0) {
        place_name(&run->session->kernel, call->address, text, size);
    } else {
        snprintf(text, size, "step %s", step_number(run, call->step));
    }
}

/* Adds the calls that a thread is in, but for the one step that the failure
 * names itself. */
static char *add_stack(struct run *run, char *text, struct strand *strand,
    const struct outcome *outcome)
{
    struct place_call call[PLACE_STACK];
    size_t count =
        place_stack(&run->session->kernel, strand, call, PLACE_STACK);
    uint32_t named = (uint32_t)outcome->step->ordinal + 1;
    char place[PLACE_BYTES];

    if (count > 0 && call[count - 1].step == named) {
        count--;
    }
    for (size_t i = 0; i < count && i < CALLS_SHOWN; i++) {
        const char *word = call[i].step == 0 ? "at" : "in";

        call_text(run, &call[i], place, sizeof(place));
        text = i == 0 ? talloc_asprintf_append(text, "; cpu %u was %s %s",
                            (unsigned)strand->cpu->index, word, place)
                      : talloc_asprintf_append(
                            text, ", called %s %s", word, place);
    }
    return count <= CALLS_SHOWN ? text
                                : talloc_strdup_append(text, ", and so on");
}

/* Adds whose request it is that the strand waits for, if it does: itself, or to
 * close its file. */
static char *add_request(
    struct run *run, char *text, const struct strand *strand)
{
    const struct io_request *request = run->session->kernel.io->requests;
    const void *wanted = wait_context(strand);
    const struct io_device *device;

    while (request != NULL &&
           (wanted == NULL || (request != wanted && request->file != wanted))) {
        request = request->next;
    }
    if (request == NULL) {
        return text;
    }
    device = io_request_holder(&run->session->kernel, request);
    device = device == NULL ? request->device : device;
    return talloc_asprintf_append(text,
        "; driver '%s' keeps a request pending and never completes it",
        device->driver->owner->name);
}

/* Adds what it waits for and who has that, if that is known. */
static char *add_awaited(struct run *run, char *text, struct strand *strand)
{
    const struct step_names steps = {step_number, run};
    char awaited[AWAITED_BYTES];

    if (!awaited_text(
            &run->session->kernel, strand, &steps, awaited, sizeof(awaited))) {
        return text;
    }
    return talloc_asprintf_append(
        text, "; cpu %u: %s", (unsigned)strand->cpu->index, awaited);
}

/* Those that are parked, the one that has been so for longest first. */
static char *add_parked(
    struct run *run, char *text, const struct outcome *outcome)
{
    struct strand *strand = run->session->machine.parked;
    size_t shown = 0, rest = 0;

    while (strand != NULL && strand->next != NULL) {
        strand = strand->next;
    }
    for (; strand != NULL; strand = strand->previous) {
        if (shown == PARKED_SHOWN) {
            rest++;
            continue;
        }
        shown++;
        text = add_awaited(run, text, strand);
        text = add_stack(run, text, strand, outcome);
    }
    return rest == 0 ? text
                     : talloc_asprintf_append(
                           text, "; and %zu threads more wait", rest);
}

char *stuck_places(struct run *run, const struct outcome *outcome)
{
    const struct machine *machine = &run->session->machine;
    char *text = talloc_strdup(run->context, "");

    for (uint32_t i = 0; i < machine->config.processors; i++) {
        if (machine->cpu[i].current != NULL) {
            text = add_stack(run, text, machine->cpu[i].current, outcome);
        }
    }
    for (struct strand *waiting = waiting_next(machine, NULL); waiting != NULL;
         waiting = waiting_next(machine, waiting)) {
        text = add_request(run, text, waiting);
        text = add_awaited(run, text, waiting);
        if (waiting->cpu->current != waiting) {
            text = add_stack(run, text, waiting, outcome);
        }
    }
    return add_parked(run, text, outcome);
}
