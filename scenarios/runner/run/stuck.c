/* stuck.c - where drivers' code was when a machine came to no end. */
#include "scenarios/runner/run/stuck.h"

#include <talloc.h>

#include "api/core/driver.h"
#include "api/core/place.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/ke/awaited.h"
#include "api/ke/wait.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

enum { PARKED_SHOWN = 16 };

/* Adds where a driver's code is stuck, if it is a driver's. */
static char *add_place(struct run *run, char *text, struct strand *strand)
{
    struct kernel *kernel = &run->session->kernel;
    uint64_t address = place_of_strand(kernel, strand);
    char place[PLACE_BYTES];

    if (address == 0) {
        return text;
    }
    place_name(kernel, address, place, sizeof(place));
    return talloc_asprintf_append(
        text, "; cpu %u was at %s", (unsigned)strand->cpu->index, place);
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

/* As scenarios number them. */
static const char *step_number(const void *context, uint32_t n)
{
    const struct run *run = context;

    return scenario_step(run->scenario, n)->number;
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
static char *add_parked(struct run *run, char *text)
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
        text = add_place(run, text, strand);
    }
    return rest == 0 ? text
                     : talloc_asprintf_append(
                           text, "; and %zu threads more wait", rest);
}

char *stuck_places(struct run *run)
{
    const struct machine *machine = &run->session->machine;
    char *text = talloc_strdup(run->context, "");

    for (uint32_t i = 0; i < machine->config.processors; i++) {
        if (machine->cpu[i].current != NULL) {
            text = add_place(run, text, machine->cpu[i].current);
        }
    }
    for (struct strand *waiting = waiting_next(machine, NULL); waiting != NULL;
         waiting = waiting_next(machine, waiting)) {
        text = add_request(run, text, waiting);
        text = add_awaited(run, text, waiting);
        if (waiting->cpu->current != waiting) {
            text = add_place(run, text, waiting);
        }
    }
    return add_parked(run, text);
}
