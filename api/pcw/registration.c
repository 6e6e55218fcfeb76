/* registration.c - registrations of counter sets: in a list, in order of
 * PcwRegister; who is inside of one, and its end. */
#include "api/pcw/registration.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/ke/wait.h"
#include "api/pcw/instance.h"
#include "api/pcw/instance_ids.h"
#include "api/pcw/names.h"
#include "api/pcw/pcw.h"

static bool neighbours_check(
    const struct pcw_registration *registration, const struct pcw *pcw)
{
    const struct pcw_registration *previous = registration->previous;
    const struct pcw_registration *next = registration->next;

    assert((previous == NULL ? pcw->first : previous->next) == registration);
    assert((next == NULL ? pcw->last : next->previous) == registration);
    assert(previous == NULL || previous->number < registration->number);
    assert(next == NULL || registration->number < next->number);
    return true;
}

bool pcw_registration_check(
    const struct pcw_registration *registration, const struct pcw *pcw)
{
    const struct pcw_description *description = &registration->description;
    uint64_t handle = registration->handle;
    bool is_empty = registration->by_name.count == 0;

    assert(pcw_handle_number(pcw, PCW_REGISTRATION, handle) ==
           registration->number);
    assert(pcw_handle_object(pcw, PCW_REGISTRATION, handle) ==
           (registration->closing ? NULL : registration));
    assert(registration->closing || !registration->forgotten);
    assert(description->name.at == description->units);
    assert(description->name.length > 0);
    assert(
        (description->counter_count == 0) == (registration->structures == 0));
    assert(name_table_check(&registration->by_name));
    assert((registration->first_instance == NULL) == is_empty);
    assert((registration->last_instance == NULL) == is_empty);
    assert(neighbours_check(registration, pcw));
    return true;
}

/* Blocks, and how much of each the counters need. */
static void measure(struct pcw_registration *registration)
{
    const struct pcw_description *description = &registration->description;

    for (uint32_t i = 0; i < description->counter_count; i++) {
        uint32_t structures = description->counter[i].structure + 1u;

        if (structures > registration->structures) {
            registration->structures = structures;
        }
    }
    registration->needed =
        pcw_alloc(registration->structures * sizeof(*registration->needed));
    for (uint32_t i = 0; i < description->counter_count; i++) {
        const struct pcw_counter *counter = &description->counter[i];
        uint32_t end = (uint32_t)counter->offset + counter->size;

        if (end > registration->needed[counter->structure]) {
            registration->needed[counter->structure] = end;
        }
    }
}

struct pcw_registration *pcw_registration_new(struct kernel *kernel,
    struct pcw_description description, const struct driver *owner,
    uint64_t place)
{
    struct pcw *pcw = kernel->pcw;
    struct pcw_registration *registration = pcw_alloc(sizeof(*registration));

    *registration = (struct pcw_registration){
        .description = description,
        .silo = thread_current(kernel)->silo,
        .owner = owner,
        .place = place,
        .step = thread_step(kernel),
        .previous = pcw->last,
    };
    registration->ids = pcw_ids_of(
        kernel, description.name, registration->silo, description.silo_neutral);
    measure(registration);
    if (pcw->describer.instances != NULL) {
        registration->instances =
            pcw->describer.instances(pcw->describer.context, description.name);
    }
    registration->handle = pcw_handle_new(pcw, PCW_REGISTRATION, registration);
    registration->number =
        pcw_handle_number(pcw, PCW_REGISTRATION, registration->handle);
    *(pcw->last == NULL ? &pcw->first : &pcw->last->next) = registration;
    pcw->last = registration;
    assert(pcw_check(pcw) && pcw_registration_check(registration, pcw));
    return registration;
}

bool pcw_registration_is_visible(
    const struct pcw_registration *registration, uint32_t silo)
{
    return registration->description.silo_neutral || registration->silo == silo;
}

void pcw_registration_enter(struct pcw_registration *registration)
{
    assert(!registration->closing);
    registration->users++;
}

static void give_back(struct pcw *pcw, struct pcw_registration *registration)
{
    *(registration->previous == NULL ? &pcw->first
                                     : &registration->previous->next) =
        registration->next;
    *(registration->next == NULL ? &pcw->last : &registration->next->previous) =
        registration->previous;
    assert(pcw_check(pcw));
    pcw_handle_forget(pcw, PCW_REGISTRATION, registration->handle);
    pcw_registration_free(registration);
}

void pcw_registration_leave(
    struct kernel *kernel, struct pcw_registration *registration)
{
    assert(registration->users > 0);
    registration->users--;
    pcw_registration_settle(kernel, registration);
}

void pcw_registration_settle(
    struct kernel *kernel, struct pcw_registration *registration)
{
    assert(pcw_registration_check(registration, kernel->pcw));
    if (registration->forgotten && registration->users == 0 &&
        registration->by_name.count == 0) {
        give_back(kernel->pcw, registration);
    }
}

static bool has_no_users(void *context)
{
    return ((const struct pcw_registration *)context)->users == 0;
}

static struct pcw_instance *first_open(
    const struct pcw_registration *registration)
{
    struct pcw_instance *instance = registration->first_instance;

    while (instance != NULL && instance->closing) {
        instance = instance->next;
    }
    return instance;
}

void pcw_registration_end(
    struct kernel *kernel, struct pcw_registration *registration)
{
    assert(pcw_registration_check(registration, kernel->pcw));
    assert(!registration->closing);
    registration->closing = true;
    pcw_handle_close(
        kernel->pcw, PCW_REGISTRATION, registration->handle, PCW_HANDLE_CLOSED);
    if (!ruling_is(kernel, RULED_PCW_UNR_03_no_wait)) {
        wait_until(kernel, has_no_users, registration);
    }
    for (struct pcw_instance *instance = first_open(registration);
         instance != NULL; instance = first_open(registration)) {
        pcw_instance_end(kernel, instance, PCW_HANDLE_CLOSED_WITH);
    }
    /* Others may still be closing instances of it. */
    assert(!registration->forgotten);
    registration->forgotten = true;
    pcw_registration_settle(kernel, registration);
}

struct pcw_registration *pcw_registration_numbered(
    struct kernel *kernel, uint32_t number)
{
    const struct pcw_handles *handles = &kernel->pcw->handles[PCW_REGISTRATION];
    const struct pcw_handle *handle = &handles->handle[number - 1];

    assert(number > 0 && number <= handles->count);
    return handle->state == PCW_HANDLE_OPEN ? handle->object : NULL;
}

void pcw_registration_free(struct pcw_registration *registration)
{
    for (size_t i = 0; i < PCW_NAMED; i++) {
        pcw_names_free(registration->names[i]);
    }
    free(registration->description.units);
    free(registration->description.counter);
    free(registration->needed);
    name_table_free(&registration->by_name);
    free(registration);
}
