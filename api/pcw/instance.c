/* instance.c - instances that PcwCreateInstance made: in a list, in order of
 * creation, and found by name. */
#include "api/pcw/instance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/wait.h"
#include "api/mm/block.h"
#include "api/pcw/instance_ids.h"
#include "api/pcw/pcw.h"

static bool neighbours_check(const struct pcw_instance *instance)
{
    const struct pcw_registration *registration = instance->registration;
    const struct pcw_instance *previous = instance->previous;
    const struct pcw_instance *next = instance->next;

    assert((previous == NULL ? registration->first_instance : previous->next) ==
           instance);
    assert((next == NULL ? registration->last_instance : next->previous) ==
           instance);
    assert(previous == NULL || previous->handle < instance->handle);
    assert(next == NULL || instance->handle < next->handle);
    return true;
}

/* Counters find their values in them. */
static bool blocks_check(const struct pcw_instance *instance)
{
    const struct pcw_registration *registration = instance->registration;

    for (uint32_t i = 0; i < registration->structures; i++) {
        assert(registration->needed[i] == 0 || instance->block[i].address != 0);
        assert(registration->needed[i] <= instance->block[i].size);
    }
    return true;
}

bool pcw_instance_check(
    const struct pcw_instance *instance, const struct pcw *pcw)
{
    const struct pcw_registration *registration = instance->registration;

    assert(pcw_handle_object(pcw, PCW_INSTANCE, instance->handle) ==
           (instance->closing ? NULL : instance));
    assert(
        !instance->forgotten || (instance->closing && instance->readers > 0));
    assert(instance->named.name.at ==
           (const uint16_t *)&instance->block[registration->structures]);
    assert(neighbours_check(instance));
    assert(name_entry_check(&registration->by_name, &instance->named));
    return true;
}

bool pcw_instances_check(
    const struct pcw_registration *registration, const struct pcw *pcw)
{
    size_t count = 0;

    for (const struct pcw_instance *instance = registration->first_instance;
         instance != NULL; instance = instance->next) {
        assert(instance->registration == registration);
        assert(pcw_instance_check(instance, pcw));
        assert(blocks_check(instance));
        count++;
    }
    assert(count == registration->by_name.count);
    return true;
}

static const void *address_of(const struct pcw_block *block)
{
    return (const void *)(uintptr_t)block->address;
}

/* So that whoever frees memory knows whom that would hurt (PCW-CLS-05 [C]). */
static void count_blocks(
    struct kernel *kernel, struct pcw_instance *instance, bool more)
{
    for (uint32_t i = 0; i < instance->registration->structures; i++) {
        struct pcw_block *block = &instance->block[i];

        if (more || block->counted) {
            block->counted = memory_count_user(
                &kernel->machine->memory, address_of(block), more);
        }
    }
}

struct pcw_instance *pcw_instance_new(struct kernel *kernel,
    struct pcw_registration *registration, struct pcw_text name, uint32_t hash,
    const struct pcw_block *block)
{
    size_t blocks = registration->structures * sizeof(*block);
    size_t bytes = name.length * sizeof(*name.at);
    struct pcw_instance *instance = malloc(sizeof(*instance) + blocks + bytes);
    uint16_t *text;

    assert(instance != NULL && !registration->closing);
    text = (uint16_t *)&instance->block[registration->structures];
    *instance = (struct pcw_instance){
        .registration = registration,
        .handle = pcw_handle_new(kernel->pcw, PCW_INSTANCE, instance),
        .id = pcw_ids_take(kernel, registration->ids),
        .named = {.name = {text, name.length}, .hash = hash},
        .owner = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .previous = registration->last_instance,
    };
    memcpy(instance->block, block, blocks);
    memcpy(text, name.at, bytes);
    *(registration->last_instance == NULL
            ? &registration->first_instance
            : &registration->last_instance->next) = instance;
    registration->last_instance = instance;
    name_table_insert(&registration->by_name, &instance->named);
    count_blocks(kernel, instance, true);
    assert(blocks_check(instance));
    return instance;
}

void pcw_instance_compare(struct kernel *kernel, enum routine routine,
    const struct pcw_registration *registration, struct pcw_text name,
    size_t others)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if (registration->instances == PCW_ONE_INSTANCE && others > 0) {
        rule_warn(kernel, cpu, RULE_PCW_INSTANCE_SECOND, routine);
    }
    if (registration->instances == PCW_MANY_INSTANCES &&
        pcw_text_is_blank(name)) {
        rule_warn(kernel, cpu, RULE_PCW_INSTANCE_BLANK, routine);
    }
}

/* Of its entry, which stands first in it; NULL of NULL. */
static struct pcw_instance *instance_of(struct name_entry *entry)
{
    return (struct pcw_instance *)entry;
}

struct pcw_instance *pcw_instance_named(
    const struct pcw_registration *registration, struct pcw_text name,
    uint32_t hash)
{
    struct name_entry *found =
        name_table_find(&registration->by_name, name, hash);

    while (found != NULL && instance_of(found)->closing) {
        found = name_entry_next(found);
    }
    return instance_of(found);
}

void pcw_instance_enter(struct pcw_instance *instance)
{
    instance->readers++;
}

static void give_back(struct kernel *kernel, struct pcw_instance *instance)
{
    struct pcw_registration *registration = instance->registration;

    assert(instance->closing && instance->readers == 0);
    assert(neighbours_check(instance));
    count_blocks(kernel, instance, false);
    name_table_remove(&registration->by_name, &instance->named);
    *(instance->previous == NULL ? &registration->first_instance
                                 : &instance->previous->next) = instance->next;
    *(instance->next == NULL ? &registration->last_instance
                             : &instance->next->previous) = instance->previous;
    pcw_handle_forget(kernel->pcw, PCW_INSTANCE, instance->handle);
    free(instance);
    pcw_registration_settle(kernel, registration);
}

void pcw_instance_leave(struct kernel *kernel, struct pcw_instance *instance)
{
    assert(instance->readers > 0);
    instance->readers--;
    if (instance->readers == 0 && instance->forgotten) {
        give_back(kernel, instance);
    }
}

static bool has_no_readers(void *context)
{
    return ((const struct pcw_instance *)context)->readers == 0;
}

void pcw_instance_end(struct kernel *kernel, struct pcw_instance *instance,
    enum pcw_handle_state state)
{
    assert(pcw_instance_check(instance, kernel->pcw));
    assert(!instance->closing);
    assert(state != PCW_HANDLE_CLOSED_WITH || instance->registration->closing);
    instance->closing = true;
    pcw_handle_close(kernel->pcw, PCW_INSTANCE, instance->handle, state);
    if (!ruling_is(kernel, RULED_PCW_CLS_03b_no_wait)) {
        wait_until(kernel, has_no_readers, instance);
    }
    if (instance->readers == 0) {
        give_back(kernel, instance);
    } else {
        instance->forgotten = true;
    }
}

/* Whether that is the memory that it has counted itself a user of. */
static bool uses(const struct kernel *kernel,
    const struct pcw_instance *instance, const struct memory_block *memory)
{
    for (uint32_t i = 0; i < instance->registration->structures; i++) {
        if (memory_find(&kernel->machine->memory,
                address_of(&instance->block[i])) == memory) {
            return true;
        }
    }
    return false;
}

/* The first instance that uses it and whose PcwCloseInstance has not returned.
 */
static const struct pcw_instance *find_user(
    struct kernel *kernel, const struct memory_block *memory)
{
    for (struct pcw_registration *registration = kernel->pcw->first;
         registration != NULL; registration = registration->next) {
        for (struct pcw_instance *instance = registration->first_instance;
             instance != NULL; instance = instance->next) {
            if (!instance->forgotten && uses(kernel, instance, memory)) {
                return instance;
            }
        }
    }
    return NULL;
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "data block of an instance"}};
    const struct pcw_instance *instance;

    if (block->users == 0) {
        return;
    }
    instance = find_user(kernel, block);
    if (instance == NULL) {
        return;
    }
    if (ruling_is(kernel, RULED_PCW_CLS_05_fatal)) {
        rule_stop_with(kernel, cpu, RULE_PCW_BLOCK_FREED, routine,
            place_current(kernel), BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION,
            parameter);
    }
    rule_warn_about(
        kernel, cpu, RULE_PCW_BLOCK_FREED, routine, instance->place);
}

const struct block_watcher pcw_block_watcher = {block_freed};
