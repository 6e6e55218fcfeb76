/* leaks.c - kind by kind, each in the order of its own list. */
#include "api/core/leaks.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/core/exports.h"
#include "api/core/kernel.h"
#include "api/ex/pool.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/link.h"
#include "api/ke/spinlock.h"
#include "api/pcw/instance.h"

/* Who asks, and what for. */
struct listing {
    const struct driver *driver;
    leak_found *found;
    void *context;
};

enum {
    TAG_BYTES = 4,
    PCW_NAME_BYTES = 200, /* of a name, for people */
};

const char *const leak_names[LEAK_COUNT] = {
#define LEAK(name, spelling, function) [LEAK_##name] = spelling,
#include "api/core/leaks.def"
};

static void counter_sets(struct kernel *kernel, const struct listing *listing)
{
    char text[20];

    for (const struct counter_set *set = kernel->arbiter.first; set != NULL;
         set = set->next) {
        if (set->owner == listing->driver && !set->freed) {
            snprintf(text, sizeof(text), "set#%u", set->number);
            listing->found(listing->context, LEAK_COUNTER_SET, text);
        }
    }
}

/* The tag's characters, the lowest byte first, as a debugger shows them. */
static void tag_text(uint32_t tag, char text[TAG_BYTES + 1])
{
    for (unsigned i = 0; i < TAG_BYTES; i++) {
        char c = (char)(tag >> 8 * i & 0xFF);

        text[i] = (char)(c >= ' ' && c <= '~' ? c : '?');
    }
    text[TAG_BYTES] = '\0';
}

static void pool_blocks(struct kernel *kernel, const struct listing *listing)
{
    char text[60], tag[TAG_BYTES + 1];

    for (const struct pool_block *block = pool_first(kernel); block != NULL;
         block = pool_next(block)) {
        if (block->owner != listing->driver) {
            continue;
        }
        tag_text(block->tag, tag);
        snprintf(text, sizeof(text), "%" PRIu64 " bytes%s%s%s", block->size,
            block->tag == 0 ? "" : " with tag '", block->tag == 0 ? "" : tag,
            block->tag == 0 ? "" : "'");
        listing->found(listing->context, LEAK_POOL_BLOCK, text);
    }
}

static void spin_locks(struct kernel *kernel, const struct listing *listing)
{
    const struct spinlock_log *log = &kernel->spinlocks;
    char text[100];

    for (size_t i = 0; i < log->count; i++) {
        if (log->hold[i].driver == listing->driver) {
            snprintf(text, sizeof(text), "acquired by %s on cpu %" PRIu32,
                routine_rows[log->hold[i].routine].name,
                log->hold[i].processor);
            listing->found(listing->context, LEAK_SPIN_LOCK, text);
        }
    }
}

static void found_object(const struct listing *listing, enum leak leak,
    const struct object_name *name)
{
    char text[OBJECT_NAME_CHARS + 1];

    object_name_text(name, text, sizeof(text));
    listing->found(
        listing->context, leak, name->length == 0 ? "without a name" : text);
}

static void devices(struct kernel *kernel, const struct listing *listing)
{
    for (const struct io_driver *driver = kernel->io.drivers; driver != NULL;
         driver = driver->next) {
        for (const struct io_device *device = driver->devices;
             device != NULL && driver->owner == listing->driver;
             device = device->next) {
            if (!device->deleted) {
                found_object(listing, LEAK_DEVICE, &device->object.name);
            }
        }
    }
}

static void links(struct kernel *kernel, const struct listing *listing)
{
    for (const struct io_link *link = kernel->io.links; link != NULL;
         link = link->next) {
        if (link->owner == listing->driver) {
            found_object(listing, LEAK_SYMBOLIC_LINK, &link->object.name);
        }
    }
}

static void pcw_registrations(
    struct kernel *kernel, const struct listing *listing)
{
    for (const struct pcw_registration *registration = kernel->pcw.first;
         registration != NULL; registration = registration->next) {
        char text[PCW_NAME_BYTES];

        if (registration->owner == listing->driver && !registration->closing) {
            pcw_text_utf8(registration->description.name, text, sizeof(text));
            listing->found(listing->context, LEAK_PCW_REGISTRATION, text);
        }
    }
}

static void pcw_instances(struct kernel *kernel, const struct listing *listing)
{
    for (const struct pcw_registration *registration = kernel->pcw.first;
         registration != NULL; registration = registration->next) {
        for (const struct pcw_instance *instance = registration->first_instance;
             instance != NULL; instance = instance->next) {
            char text[PCW_NAME_BYTES];

            if (instance->owner == listing->driver && !instance->closing) {
                pcw_text_utf8(instance->name, text, sizeof(text));
                listing->found(listing->context, LEAK_PCW_INSTANCE,
                    text[0] == '\0' ? "without a name" : text);
            }
        }
    }
}

void leaks_list(struct kernel *kernel, const struct driver *driver,
    leak_found *found, void *context)
{
    static void (*const lists[])(struct kernel *, const struct listing *) = {
#define LEAK(name, spelling, function) [LEAK_##name] = function,
#include "api/core/leaks.def"
    };
    const struct listing listing = {driver, found, context};

    for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
        lists[leak](kernel, &listing);
    }
}

/* HAL-FREE-06 [C]: the set stays held. */
static void report_set(
    struct kernel *kernel, struct cpu *cpu, struct counter_set *set)
{
    const struct bugcheck_parameter parameter[4] = {{.name = "counter set"}};
    enum routine routine = ROUTINE_HalAllocateHardwareCounters;

    if (ruling_is(kernel, RULED_HAL_FREE_06_fatal)) {
        rule_stop_with(kernel, cpu, RULE_LEAK_COUNTER_SET, routine, set->place,
            BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION, parameter);
    }
    rule_warn_at(kernel, cpu, RULE_LEAK_COUNTER_SET, routine, set->place);
    if (ruling_is(kernel, RULED_HAL_FREE_06_release)) {
        HalFreeHardwareCounters_body((HANDLE)(uintptr_t)set->handle);
    }
}

/* The first of the driver's sets behind that number; sets may go meanwhile. */
static struct counter_set *next_held(
    struct kernel *kernel, const struct driver *driver, unsigned number)
{
    struct counter_set *set = kernel->arbiter.first;

    while (set != NULL &&
           (set->owner != driver || set->freed || set->number <= number)) {
        set = set->next;
    }
    return set;
}

/* They stay: their callbacks and blocks are gone with the driver. */
static void report_pcw(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (const struct pcw_registration *registration = kernel->pcw.first;
         registration != NULL; registration = registration->next) {
        if (registration->owner == driver && !registration->closing) {
            rule_warn_at(kernel, cpu, RULE_LEAK_PCW_REGISTRATION,
                ROUTINE_PcwRegister, registration->place);
        }
        for (const struct pcw_instance *instance = registration->first_instance;
             instance != NULL; instance = instance->next) {
            if (instance->owner == driver && !instance->closing) {
                rule_warn_at(kernel, cpu, RULE_LEAK_PCW_INSTANCE,
                    ROUTINE_PcwCreateInstance, instance->place);
            }
        }
    }
}

void leaks_report(struct kernel *kernel, const struct driver *driver)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct counter_set *set = next_held(kernel, driver, 0);

    while (set != NULL) {
        unsigned number = set->number;

        report_set(kernel, cpu, set);
        set = next_held(kernel, driver, number);
    }
    report_pcw(kernel, cpu, driver);
    pool_report_leaks(kernel, cpu, driver);
    spinlock_report_driver(kernel, cpu, driver);
    pool_check_all(kernel, cpu);
}
