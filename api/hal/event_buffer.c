/* event_buffer.c - records of PEBS on their way to the handlers of counter
 * sets.
 *
 * All sets of a processor read one buffer, each from where it has come to, so
 * what one of them has got is not lost for another (HAL-EVB-03c [C]). */
#include "api/hal/event_buffer.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/hal/event_entry.h"
#include "api/hal/handler.h"
#include "api/hal/pmu.h"
#include "api/ke/cross_call.h"
#include "sim/base/bits.h"

enum { AREA_PAGES = 1 }; /* of the block that has area and records */

static struct event_buffer *buffer_of(
    struct kernel *kernel, const struct cpu *cpu)
{
    assert(kernel->event_buffers->of != NULL);
    return &kernel->event_buffers->of[cpu->index];
}

bool event_buffer_check(
    const struct kernel *kernel, const struct event_buffer *buffer)
{
    assert(kernel->event_buffers->pebs.there);
    assert((buffer->area == NULL) == (buffer->records == NULL));
    assert((buffer->area == NULL) == (buffer->entries == NULL));
    for (const struct event_reader *reader = buffer->first; reader != NULL;
         reader = reader->next) {
        assert(buffer->area != NULL);
        assert(reader->set->claim.events != NULL);
        assert(reader->at <= EVENT_BUFFER_BYTES);
        assert(reader->next == NULL ||
               reader->next->set->number > reader->set->number);
    }
    return true;
}

/* Whether all processors have PEBS alike; a buffer is read in one way [C]. */
static bool are_alike(const struct kernel *kernel)
{
    const struct machine_config *config = &kernel->machine->config;
    bool alike = true;

    for (size_t i = 0; i < config->kind_count; i++) {
        const struct pmu_model *kind = &config->kind[i].pmu;

        alike &= kind->pebs == config->pmu.pebs &&
                 kind->pebs_format == config->pmu.pebs_format &&
                 kind->pebs_baseline == config->pmu.pebs_baseline;
    }
    return alike;
}

bool event_buffers_exist(struct kernel *kernel)
{
    struct event_buffers *buffers = kernel->event_buffers;

    if (!buffers->asked) {
        struct cpu *cpu = kernel_cpu(kernel);

        buffers->pebs = pebs_find(hal_pmu_of(kernel, cpu), cpu);
        buffers->pebs.there &= are_alike(kernel);
        buffers->asked = true;
    }
    return buffers->pebs.there;
}

static void release_memory(struct kernel *kernel, struct event_buffer *buffer)
{
    struct memory *memory = &kernel->machine->memory;

    if (buffer->area != NULL) {
        memory_free(memory, buffer->area);
    }
    if (buffer->entries != NULL) {
        memory_free(memory, buffer->entries);
    }
    *buffer = (struct event_buffer){.first = NULL};
}

/* The processor's memory, if it has none. */
static bool take_memory(struct kernel *kernel, struct event_buffer *buffer)
{
    struct memory *memory = &kernel->machine->memory;

    if (buffer->area != NULL) {
        return true;
    }
    buffer->area = memory_alloc(
        memory, AREA_PAGES * MEMORY_PAGE_BYTES + EVENT_BUFFER_BYTES, 0);
    buffer->entries = memory_alloc(memory, EVENT_BUFFER_BYTES, 0);
    if (buffer->area == NULL || buffer->entries == NULL ||
        !memory_set(memory, buffer->entries,
            EVENT_BUFFER_BYTES / MEMORY_PAGE_BYTES, MEMORY_NONE, false)) {
        release_memory(kernel, buffer);
        return false;
    }
    buffer->records = buffer->area + AREA_PAGES * MEMORY_PAGE_BYTES;
    memory_keep_apart(memory, buffer->entries);
    memory_attach(
        memory, buffer->entries, kernel->event_buffers, EVENT_BUFFER_BYTES);
    return true;
}

static struct event_reader *take_reader(struct kernel *kernel)
{
    return record_pool_take(&kernel->event_buffers->pool,
        &kernel->machine->arena, sizeof(struct event_reader));
}

static void give_back(struct kernel *kernel, struct event_reader *reader)
{
    record_give(&kernel->event_buffers->pool, reader);
}

/* The table of all processors, which the first set with a buffer makes. */
static bool take_table(struct kernel *kernel)
{
    struct event_buffers *buffers = kernel->event_buffers;
    size_t processors = kernel->machine->config.processors;

    if (buffers->of == NULL) {
        buffers->of = arena_alloc_for_guest(
            &kernel->machine->arena, processors * sizeof(*buffers->of));
    }
    return buffers->of != NULL;
}

/* Puts a reader before those in the list for each processor of the group. */
static bool reserve_group(struct kernel *kernel, uint32_t group,
    uint64_t processors, struct event_reader **list)
{
    uint32_t first = kernel->machine->all.group_first[group];

    for (uint64_t left = processors; left != 0; left &= left - 1) {
        struct event_buffer *buffer =
            &kernel->event_buffers->of[first + bits_lowest(left)];
        struct event_reader *reader = take_reader(kernel);

        if (reader == NULL) {
            return false;
        }
        if (!take_memory(kernel, buffer)) {
            give_back(kernel, reader);
            return false;
        }
        buffer->users++;
        *reader = (struct event_reader){.buffer = buffer, .next = *list};
        *list = reader;
    }
    return true;
}

void event_buffers_return(struct kernel *kernel, struct event_reader *readers)
{
    while (readers != NULL) {
        struct event_reader *reader = readers;

        readers = reader->next;
        assert(reader->buffer->users > 0);
        reader->buffer->users--;
        if (reader->buffer->users == 0) {
            release_memory(kernel, reader->buffer);
        }
        give_back(kernel, reader);
    }
}

struct event_reader *event_buffers_reserve(
    struct kernel *kernel, const struct counter_claim *claim)
{
    const struct topology *topology = &kernel->machine->topology;
    struct event_reader *list = NULL;
    bool all = take_table(kernel);

    assert(kernel->event_buffers->pebs.there && claim->events != NULL);
    for (uint32_t group = 0; all && group < topology->groups; group++) {
        all = reserve_group(kernel, group, claim->affinity[group], &list);
    }
    if (!all) {
        event_buffers_return(kernel, list);
        return NULL;
    }
    return list;
}

/* Where the records end that PEBS has written. Whoever has changed the area's
 * words has spoilt what was there [C]. */
static size_t written(const struct event_buffer *buffer)
{
    struct pebs_area area = pebs_area_read(buffer->area);
    uint64_t base = (uint64_t)(uintptr_t)buffer->records;

    return area.base == base && area.index >= base &&
                   area.index - base <= EVENT_BUFFER_BYTES
               ? (size_t)(area.index - base)
               : 0;
}

/* The entries that make a set's handler be called: the fewest that one of the
 * sets here has asked for, or its own (HAL-EVB-03a, HAL-EVB-03b [C]). */
static uint32_t threshold_of(struct kernel *kernel,
    const struct event_buffer *buffer, const struct event_reader *reader)
{
    uint32_t least = reader->set->claim.threshold;

    if (ruling_is(kernel, RULED_HAL_EVB_03b_own)) {
        return least;
    }
    for (const struct event_reader *other = buffer->first; other != NULL;
         other = other->next) {
        if (other->set->claim.threshold < least) {
            least = other->set->claim.threshold;
        }
    }
    return least;
}

/* PEBS goes on at `index`, and asks for an interrupt when the next reader has
 * as many as it needs. Records that are longer than the shortest one make it
 * come earlier; then there are fewer, and it is set anew. */
static void set_area(
    struct kernel *kernel, struct event_buffer *buffer, size_t index)
{
    const struct hal_pebs *pebs = &kernel->event_buffers->pebs;
    uint64_t base = (uint64_t)(uintptr_t)buffer->records;
    size_t threshold = EVENT_BUFFER_CROWDED;
    struct pebs_area area = {.base = base,
        .index = base + index,
        .maximum = base + EVENT_BUFFER_BYTES};

    for (const struct event_reader *reader = buffer->first; reader != NULL;
         reader = reader->next) {
        uint32_t wanted = threshold_of(kernel, buffer, reader);
        size_t there =
            event_entry_count(pebs, buffer->records, reader->at, index, wanted);
        size_t missing = wanted > there ? wanted - there : 1;

        if (index + missing * pebs_least(pebs) < threshold) {
            threshold = index + missing * pebs_least(pebs);
        }
    }
    area.threshold = base + threshold;
    pebs_area_write(buffer->area, &area);
    assert(event_buffer_check(kernel, buffer));
}

/* The set's, or the first one behind it; NULL: there is none. */
static struct event_reader *reader_from(
    const struct event_buffer *buffer, unsigned number)
{
    struct event_reader *reader = buffer->first;

    while (reader != NULL && reader->set->number < number) {
        reader = reader->next;
    }
    return reader;
}

/* What joins and leaves on a processor. */
struct change {
    struct counter_set *set;
    struct event_reader *readers; /* of a set that joins */
};

/* Counters of the set whose events are recorded. Whoever programs one of them
 * otherwise takes its bit away (HAL-EVB-06 [C]). A processor of another kind
 * may have fewer. */
static uint64_t recorded(const struct kernel *kernel, const struct cpu *cpu,
    const struct counter_set *set)
{
    return ruling_is(kernel, RULED_HAL_EVB_06_driver)
               ? 0
               : set->claim.counters & kernel->event_buffers->pebs.counters &
                     hal_pmu_of(kernel, cpu)->counters;
}

static void join_here(struct kernel *kernel, struct cpu *cpu, void *context)
{
    struct change *change = context;
    struct event_buffer *buffer = buffer_of(kernel, cpu);
    struct event_reader **link = &buffer->first;
    struct event_reader *reader = change->readers;
    uint64_t counters = recorded(kernel, cpu, change->set);
    bool first = buffer->first == NULL;

    change->readers = reader->next;
    if (first) {
        memset(buffer->area, 0, PEBS_AREA_BYTES);
    }
    *reader = (struct event_reader){.set = change->set,
        .buffer = buffer,
        .at = first ? 0 : written(buffer)};
    while (*link != NULL && (*link)->set->number < change->set->number) {
        link = &(*link)->next;
    }
    reader->next = *link;
    *link = reader;
    set_area(kernel, buffer, reader->at);
    if (first) {
        buffer->area_before = pebs_directed(cpu);
        pebs_direct(cpu, (uint64_t)(uintptr_t)buffer->area);
    }
    if (counters != 0) {
        pebs_enable(cpu, counters, true);
    }
}

/* Where IRQL-GEN-01 [C] is flipped a driver may be at a level at which no
 * processor hears of it. */
static void call_processors(struct kernel *kernel, enum routine routine,
    cross_call_work *work, struct change *change)
{
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t irql = irql_current(kernel, cpu);
    uint8_t level = irql_number(kernel, LEVEL_IPI_LEVEL);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = irql},
        {.value = level}};

    if (irql >= level) {
        rule_stop(kernel, cpu, RULE_IRQL_CONTRACT, routine, parameter);
    }
    cross_call(kernel, change->set->claim.affinity, work, change);
}

void event_buffers_join(struct kernel *kernel, struct counter_set *set,
    struct event_reader *readers)
{
    struct change change = {set, readers};

    assert(set->claim.events != NULL && readers != NULL);
    set->joins = true;
    call_processors(
        kernel, ROUTINE_HalAllocateHardwareCounters, join_here, &change);
    assert(change.readers == NULL);
    set->joins = false;
}

/* The next set that has an event buffer, and processors which are started
 * later. */
static struct counter_set *next_later(struct counter_set *set)
{
    while (set != NULL &&
           (set->freed || !set->claim.later || set->claim.events == NULL)) {
        set = set->next;
    }
    return set;
}

/* This one or the next which the processor that is started just now is to have;
 * it may be freed by now, and waits for that. */
static struct counter_set *next_that_starts(struct counter_set *set)
{
    while (set != NULL && !set->starts) {
        set = set->next;
    }
    return set;
}

bool event_buffers_reserve_later(
    struct kernel *kernel, const struct cpu *cpu, struct event_reader **readers)
{
    bool all = true;

    *readers = NULL;
    for (struct counter_set *set = next_later(kernel->arbiter->first);
         all && set != NULL; set = next_later(set->next)) {
        all = reserve_group(kernel, cpu->group, bit(cpu->number), readers);
        set->starts = all;
    }
    if (!all) {
        event_buffers_return(kernel, *readers);
        *readers = NULL;
        for (struct counter_set *set = next_that_starts(kernel->arbiter->first);
             set != NULL; set = next_that_starts(set->next)) {
            set->starts = false;
        }
    }
    return all;
}

void event_buffers_join_later(
    struct kernel *kernel, struct cpu *cpu, struct event_reader *readers)
{
    struct change change = {next_that_starts(kernel->arbiter->first), readers};

    while (change.set != NULL) {
        join_here(kernel, cpu, &change);
        change.set->starts = false;
        change.set = next_that_starts(change.set->next);
    }
    assert(change.readers == NULL);
}

static void leave_here(struct kernel *kernel, struct cpu *cpu, void *context)
{
    const struct change *change = context;
    struct event_buffer *buffer = buffer_of(kernel, cpu);
    struct event_reader **link = &buffer->first;
    struct event_reader *reader;
    const struct hal_pmu *pmu = hal_pmu_of(kernel, cpu);
    uint64_t counters = recorded(kernel, cpu, change->set);

    if (counters != 0) {
        pebs_enable(cpu, counters, false);
    }
    while (*link != NULL && (*link)->set != change->set) {
        link = &(*link)->next;
    }
    assert(*link != NULL); /* it has joined before it is freed */
    reader = *link;
    *link = reader->next;
    assert(buffer->users > 0);
    buffer->users--;
    give_back(kernel, reader);
    if (buffer->first == NULL) {
        if (pebs_directed(cpu) == (uint64_t)(uintptr_t)buffer->area) {
            pebs_direct(cpu, buffer->area_before);
        }
        pmu->row->clear(pmu, cpu, pmu->buffer);
    } else {
        set_area(kernel, buffer, written(buffer));
    }
}

void event_buffers_leave(struct kernel *kernel, struct counter_set *set)
{
    struct change change = {.set = set};

    assert(set->claim.events != NULL && set->handlers == 0);
    call_processors(
        kernel, ROUTINE_HalFreeHardwareCounters, leave_here, &change);
}

bool event_buffer_is_armed(struct kernel *kernel, const struct cpu *cpu)
{
    return kernel->event_buffers->of != NULL &&
           buffer_of(kernel, cpu)->first != NULL;
}

/* What a handler may touch while it runs, and nobody afterwards (HAL-EVB-05
 * [C]). All of the block: the host is faster than with a part. */
static void open_entries(
    struct kernel *kernel, const struct event_buffer *buffer)
{
    if (!memory_set(&kernel->machine->memory, buffer->entries,
            EVENT_BUFFER_BYTES / MEMORY_PAGE_BYTES, MEMORY_READ | MEMORY_WRITE,
            false)) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "this host has no mapping left for an event buffer");
    }
}

/* To the host where code goes on next: between two calls in the middle of work
 * that is no driver's nobody could touch them, and it need not be asked. */
static void close_entries(
    struct kernel *kernel, const struct event_buffer *buffer)
{
    memory_close_late(&kernel->machine->memory, buffer->entries,
        EVENT_BUFFER_BYTES / MEMORY_PAGE_BYTES);
}

/* Entries of one length, from `at`, to the set's handler (HAL-EVB-02). They end
 * where the block does, so that one too many is seen. */
static void hand_on(struct kernel *kernel, struct cpu *cpu,
    struct counter_set *set, size_t at, const struct event_run *run)
{
    const struct event_buffer *buffer = buffer_of(kernel, cpu);
    size_t bytes = run->count * run->size;
    uint8_t *entries = buffer->entries + EVENT_BUFFER_BYTES - bytes;
    static const struct handler_kind kind = {
        API_EVENT_BUFFER_ENTER, API_EVENT_BUFFER_LEAVE, {2, 1}};
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uint64_t)(uintptr_t)entries, run->size, run->count, set->handle};

    assert(bytes > 0 && bytes <= EVENT_BUFFER_BYTES);
    open_entries(kernel, buffer);
    event_entry_gather(kernel, cpu, run, buffer->records + at, entries);
    handler_run(kernel, cpu, set, &kind, (uint64_t)(uintptr_t)set->claim.events,
        argument);
    close_entries(kernel, buffer);
}

/* The set's handler for what lies before `end`, as often as there are enough.
 * While it runs records come behind, and sets join and go: its own stays until
 * it has ended. Of a crowded buffer all is taken, and what is no record, spoilt
 * by a driver, is passed over. */
static void serve_set(struct kernel *kernel, struct cpu *cpu,
    struct event_reader *reader, size_t end)
{
    struct event_buffer *buffer = buffer_of(kernel, cpu);
    const struct hal_pebs *pebs = &kernel->event_buffers->pebs;
    size_t due = 0; /* entries of those that are enough, not handed on yet */

    while (!reader->set->freed) {
        uint32_t wanted = threshold_of(kernel, buffer, reader);
        bool crowded = end >= EVENT_BUFFER_CROWDED;
        size_t there = event_entry_count(pebs, buffer->records, reader->at, end,
            crowded ? EVENT_BUFFER_BYTES : wanted);
        struct event_run run;
        size_t at = reader->at;

        if (due == 0) {
            due = there >= wanted ? wanted : crowded ? there : 0;
        }
        if (due == 0 || there == 0) {
            reader->at = crowded ? end : at;
            return;
        }
        run = event_entry_run(
            kernel, buffer->records, at, due < there ? due : there);
        due -= run.count;
        reader->at += run.records;
        hand_on(kernel, cpu, reader->set, at, &run);
    }
}

/* What all have got makes room (HAL-EVB-05 [C]). */
static void empty(struct kernel *kernel, struct event_buffer *buffer)
{
    size_t end = written(buffer);
    size_t got = end;

    for (const struct event_reader *reader = buffer->first; reader != NULL;
         reader = reader->next) {
        if (reader->at < got) {
            got = reader->at;
        }
    }
    memmove(buffer->records, buffer->records + got, end - got);
    for (struct event_reader *reader = buffer->first; reader != NULL;
         reader = reader->next) {
        /* The area's words may have been changed meanwhile. */
        reader->at = reader->at < end ? reader->at - got : end - got;
    }
    set_area(kernel, buffer, end - got);
}

void event_buffer_serve(struct kernel *kernel, struct cpu *cpu)
{
    struct event_buffer *buffer = buffer_of(kernel, cpu);
    size_t end = written(buffer);
    unsigned newest = kernel->arbiter->granted;
    struct event_reader *reader = buffer->first;

    assert(event_buffer_check(kernel, buffer));
    while (reader != NULL && reader->set->number <= newest) {
        unsigned number = reader->set->number;

        serve_set(kernel, cpu, reader, end);
        reader = reader_from(buffer, number + 1);
    }
    assert(buffer->first != NULL); /* whose handler has run is still there */
    empty(kernel, buffer);
}
