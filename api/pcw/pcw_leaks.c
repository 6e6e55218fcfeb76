/* pcw_leaks.c - registrations and instances that a driver still holds. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/pcw/instance.h"
#include "api/pcw/pcw.h"

enum { NAME_BYTES = 200 }; /* of a name, for people */

static void list_registrations(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct pcw_registration *registration = kernel->pcw->first;
         registration != NULL; registration = registration->next) {
        char text[NAME_BYTES];

        if (registration->owner == listing->driver && !registration->closing) {
            pcw_text_utf8(registration->description.name, text, sizeof(text));
            leaks_found(
                listing, LEAK_PCW_REGISTRATION, text, registration->step);
        }
    }
}

static void list_instances(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct pcw_registration *registration = kernel->pcw->first;
         registration != NULL; registration = registration->next) {
        for (const struct pcw_instance *instance = registration->first_instance;
             instance != NULL; instance = instance->next) {
            char text[NAME_BYTES];

            if (instance->owner == listing->driver && !instance->closing) {
                pcw_text_utf8(instance->named.name, text, sizeof(text));
                leaks_found(listing, LEAK_PCW_INSTANCE,
                    text[0] == '\0' ? "without a name" : text, instance->step);
            }
        }
    }
}

/* They stay: their callbacks and blocks are gone with the driver. */
static void report_all(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    assert(pcw_lists_check(kernel->pcw));
    for (struct pcw_registration *registration = kernel->pcw->first;
         registration != NULL; registration = registration->next) {
        if (registration->owner == driver && !registration->closing &&
            leaks_is_news(&registration->reported)) {
            rule_warn_at(kernel, cpu, RULE_LEAK_PCW_REGISTRATION,
                ROUTINE_PcwRegister, registration->place);
        }
        for (struct pcw_instance *instance = registration->first_instance;
             instance != NULL; instance = instance->next) {
            if (instance->owner == driver && !instance->closing &&
                leaks_is_news(&instance->reported)) {
                rule_warn_at(kernel, cpu, RULE_LEAK_PCW_INSTANCE,
                    ROUTINE_PcwCreateInstance, instance->place);
            }
        }
    }
}

const struct leak_source pcw_registration_leaks = {
    LEAK_PCW_REGISTRATION, list_registrations, report_all, NULL};

/* Reported with their registrations. */
const struct leak_source pcw_instance_leaks = {
    LEAK_PCW_INSTANCE, list_instances, NULL, NULL};
