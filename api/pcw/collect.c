/* collect.c - collecting the values of instances that drivers have created:
 * their blocks are read where they lie. */
#include "api/pcw/collect.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/trace_events.h"
#include "api/mm/copy.h"
#include "api/pcw/callback.h"
#include "api/pcw/instance.h"
#include "sim/machine/strand.h"

/* What reading costs, our own figures. */
enum {
    INSTANCE_CYCLES = 150,
    INSTANCE_INSTRUCTIONS = 100,
    COUNTER_CYCLES = 4,
    COUNTER_INSTRUCTIONS = 3,
};

/* Counters in turn that lie in one block: their values belong together, those
 * of two blocks need not. */
struct part {
    const struct pcw_counter *counter;
    size_t count;
    bool packed; /* each of 8 bytes, side by side in their order */
};

/* The counters that a request asks a registration for. */
struct wanted {
    struct pcw_counter *counter;
    struct pcw_column *column; /* of every instance's values */
    size_t count;
    struct part *part; /* one behind another they are all of them */
    size_t part_count;
};

/* Whether that counter goes on where the one before it ends. */
static bool goes_on(const struct pcw_counter *counter)
{
    return counter->size == sizeof(uint64_t) &&
           counter->offset == counter[-1].offset + sizeof(uint64_t);
}

static struct part part_at(const struct pcw_counter *counter, size_t count)
{
    struct part part = {counter, 1, counter->size == sizeof(uint64_t)};

    while (part.count < count &&
           counter[part.count].structure == counter->structure) {
        part.packed = part.packed && goes_on(&counter[part.count]);
        part.count++;
    }
    return part;
}

static void find_parts(struct pcw_request *request, struct wanted *wanted)
{
    wanted->part = query_memory_take(
        request->memory, wanted->count * sizeof(*wanted->part));
    for (size_t done = 0; done < wanted->count;) {
        struct part part =
            part_at(&wanted->counter[done], wanted->count - done);

        wanted->part[wanted->part_count++] = part;
        done += part.count;
    }
}

static struct wanted find_wanted(
    struct pcw_request *request, const struct pcw_registration *registration)
{
    const struct pcw_description *description = &registration->description;
    struct wanted wanted = {
        .counter = query_memory_take(request->memory,
            description->counter_count * sizeof(struct pcw_counter)),
        .column = pcw_request_columns(request, description->counter_count)};

    for (uint32_t i = 0; i < description->counter_count; i++) {
        if (pcw_filter_wants(
                request->kernel, request->filter, description->counter[i].id)) {
            wanted.column[wanted.count] =
                pcw_column_of(&description->counter[i]);
            wanted.counter[wanted.count++] = description->counter[i];
        }
    }
    find_parts(request, &wanted);
    return wanted;
}

/* The driver's block is read wherever it lies, by whatever thread, while the
 * provider goes on (PCW-CRE-18 [C]); one that is gone stops the machine
 * (PCW-CLS-05 [C]). */
static void open_block(struct kernel *kernel,
    const struct pcw_instance *instance, uint16_t structure)
{
    const struct pcw_block *block = &instance->block[structure];
    const uint8_t *start = (const uint8_t *)(uintptr_t)block->address;
    uint32_t size = instance->registration->needed[structure];
    const struct bugcheck_parameter parameter[4] = {
        {.name = "data block of an instance"}};

    assert(structure < instance->registration->structures);
    assert(block->size >= size && (size == 0 || block->address != 0));
    if (!pcw_is_readable(kernel, start, size)) {
        rule_stop_at(kernel, kernel_cpu(kernel), RULE_PCW_BLOCK_GONE,
            ROUTINE_PcwCreateInstance, instance->place, parameter);
    }
    copy_probe(kernel, ROUTINE_PcwCreateInstance, start, size, false);
}

/* Others may run before each block is read. */
static void read_part(struct kernel *kernel,
    const struct pcw_instance *instance, const struct part *part,
    uint64_t *value)
{
    struct cpu *cpu = kernel_cpu(kernel);
    uint16_t structure = part->counter->structure;
    const uint8_t *block;

    cpu_spend(
        cpu, part->count * COUNTER_CYCLES, part->count * COUNTER_INSTRUCTIONS);
    cpu_checkpoint(cpu);
    open_block(kernel, instance, structure);
    block = (const uint8_t *)(uintptr_t)instance->block[structure].address;
    if (part->packed) {
        memcpy(
            value, block + part->counter->offset, part->count * sizeof(*value));
    } else {
        pcw_values_read(part->counter, part->count, block, value);
    }
}

static uint64_t *read_values(struct pcw_request *request,
    const struct pcw_instance *instance, const struct wanted *wanted)
{
    uint64_t *value = pcw_request_values(request, wanted->count);
    size_t done = 0;

    assert(instance->readers > 0);
    for (size_t i = 0; i < wanted->part_count; i++) {
        read_part(request->kernel, instance, &wanted->part[i], &value[done]);
        done += wanted->part[i].count;
    }
    assert(done == wanted->count);
    return value;
}

/* How many of the instances that the provider created a request was given. */
static void trace_created(struct kernel *kernel,
    const struct pcw_registration *registration, uint64_t instances)
{
    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_PCW_COLLECTED],
        registration->number, instances);
}

static void collect_instance(struct pcw_request *request,
    const struct pcw_instance *instance, const struct wanted *wanted)
{
    struct cpu *cpu = kernel_cpu(request->kernel);
    struct pcw_values values = {wanted->column, NULL, wanted->count};

    cpu_spend(cpu, INSTANCE_CYCLES, INSTANCE_INSTRUCTIONS);
    cpu_checkpoint(cpu);
    if (request->collects) {
        values.value = read_values(request, instance, wanted);
    }
    pcw_request_record(request, instance->registration->number,
        instance->named.name, instance->id, &values);
    pcw_request_check_cancel(request);
}

/* Those that are there when it begins; they may be closed meanwhile. */
static void collect_created(
    struct pcw_request *request, struct pcw_registration *registration)
{
    struct wanted wanted = {0};
    struct pcw_instance *instance = registration->first_instance;
    uint64_t newest, instances = 0;

    if (instance == NULL) {
        return;
    }
    newest = registration->last_instance->handle;
    if (request->collects) {
        wanted = find_wanted(request, registration);
    }
    while (instance != NULL && instance->handle <= newest &&
           !pcw_request_is_full(request)) {
        struct pcw_instance *next;

        pcw_instance_enter(instance);
        if (!instance->closing && pcw_filter_passes(request->filter,
                                      instance->named.name, instance->id)) {
            collect_instance(request, instance, &wanted);
            instances++;
        }
        next = instance->next;
        pcw_instance_leave(request->kernel, instance);
        instance = next;
    }
    trace_created(request->kernel, registration, instances);
}

void pcw_request_check_cancel(struct pcw_request *request)
{
    assert(request->row_count <= request->cancel_after);
    if (!request->cancelled && request->row_count == request->cancel_after) {
        request->cancelled = true;
        pcw_callback_signal(request->kernel, request->query);
    }
}

void pcw_collect_registration(
    struct pcw_request *request, struct pcw_registration *registration)
{
    assert(registration->users > 0 && !request->cancelled);
    if (ruling_is(request->kernel, RULED_PCW_CB_08_callback_first)) {
        pcw_callback_request(request, registration);
        collect_created(request, registration);
        return;
    }
    collect_created(request, registration);
    if (!request->cancelled) {
        pcw_callback_request(request, registration);
    }
}
