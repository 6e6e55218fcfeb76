/* buffer.c - what a consumer's request records: instances that its filter lets
 * through, and what a callback has added. */
#include "api/pcw/buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/pcw/query_list.h"
#include "sim/base/list_room.h"

enum { MASK_BITS = 64 };

bool pcw_buffer_check(const struct pcw_buffer *buffer, const struct pcw *pcw)
{
    assert(pcw_handle_object(pcw, PCW_BUFFER, buffer->handle) == buffer);
    assert(buffer->request == &buffer->request->query->request);
    assert(buffer->registration->users > 0);
    assert(buffer->named_count <= buffer->named_capacity);
    assert(buffer->names.count <= buffer->named_count);
    assert(name_table_check(&buffer->names));
    return true;
}

/* Rows are in the order of the registrations; only a collection has values. */
static bool row_check(
    const struct pcw_row *row, const struct pcw_request *request)
{
    assert(row->registration > 0);
    assert(
        request->row_count == 0 ||
        request->row[request->row_count - 1].registration <= row->registration);
    assert((row->value != NULL) == request->collects);
    assert(
        row->value_count == 0 || (row->value != NULL && row->column != NULL));
    return true;
}

bool pcw_filter_passes(
    const struct pcw_filter *filter, struct pcw_text name, uint32_t id)
{
    return (filter->id == PCW_ANY_INSTANCE_ID || filter->id == id) &&
           pcw_text_matches(name, filter->instance);
}

bool pcw_filter_wants(
    struct kernel *kernel, const struct pcw_filter *filter, uint16_t counter)
{
    if (counter < MASK_BITS) {
        return (filter->counters >> counter & 1) != 0;
    }
    return ruling_is(kernel, RULED_PCW_TYPE_06b_always) ||
           (filter->counters == UINT64_MAX &&
               !ruling_is(kernel, RULED_PCW_TYPE_06b_never));
}

bool pcw_request_is_full(const struct pcw_request *request)
{
    return request->cancelled ||
           (!request->filter->multiple && request->row_count > 0 &&
               !ruling_is(request->kernel, RULED_PCW_ADD_09_keep));
}

bool pcw_is_readable(struct kernel *kernel, const void *start, size_t size)
{
    struct machine *machine = kernel->machine;

    return stack_pool_holds(&machine->guest_stacks, start, size) ||
           memory_allows(&machine->memory, start, size, MEMORY_READ);
}

bool pcw_ends_early(
    const struct memory_block *block, const void *start, size_t size)
{
    const uint8_t *from = start;

    assert(block == NULL || !block->freed);
    assert(block == NULL || (from >= block->start &&
                                (size_t)(from - block->start) <= block->size));
    return block != NULL &&
           (uint64_t)(from - block->start) + size > block->usable;
}

static uint64_t load(const uint8_t *from, size_t size)
{
    uint64_t value = 0;

    if (size == sizeof(uint64_t)) { /* the two usual ones are a load each */
        memcpy(&value, from, sizeof(uint64_t));
    } else if (size == sizeof(uint32_t)) {
        memcpy(&value, from, sizeof(uint32_t));
    } else {
        memcpy(&value, from, size < sizeof(value) ? size : sizeof(value));
    }
    return value;
}

void pcw_values_read(const struct pcw_counter *counter, size_t count,
    const uint8_t *block, uint64_t *value)
{
    for (size_t i = 0; i < count; i++) {
        /* without a size there need be no block */
        value[i] = counter[i].size == 0
                       ? 0
                       : load(block + counter[i].offset, counter[i].size);
    }
}

struct pcw_column *pcw_request_columns(
    struct pcw_request *request, size_t count)
{
    return query_memory_take(
        request->memory, count * sizeof(struct pcw_column));
}

uint64_t *pcw_request_values(struct pcw_request *request, size_t count)
{
    return query_memory_take(request->memory, count * sizeof(uint64_t));
}

struct pcw_column pcw_column_of(const struct pcw_counter *counter)
{
    return (struct pcw_column){counter->id, counter->size};
}

void pcw_request_record(struct pcw_request *request, uint32_t registration,
    struct pcw_text name, uint32_t id, const struct pcw_values *values)
{
    struct pcw_row row = {
        .registration = registration,
        .id = id,
        .column = values->column,
        .value = values->value,
        .value_count = values->count,
    };

    assert(!request->cancelled);
    assert(row_check(&row, request));
    request->row = list_room(request->row, &request->row_capacity,
        request->row_count, sizeof(*request->row));
    row.name = (struct pcw_text){query_memory_copy(request->memory, name.at,
                                     name.length * sizeof(*name.at)),
        name.length};
    request->row[request->row_count++] = row;
}

struct pcw_buffer *pcw_buffer_open(
    struct pcw_request *request, struct pcw_registration *registration)
{
    struct pcw *pcw = request->kernel->pcw;
    struct pcw_buffer *buffer = pcw_alloc(sizeof(*buffer));

    *buffer = (struct pcw_buffer){
        .handle = pcw_handle_new(pcw, PCW_BUFFER, buffer),
        .request = request,
        .registration = registration,
        .outer = pcw->buffers,
    };
    pcw->buffers = buffer;
    assert(pcw_buffer_check(buffer, pcw));
    return buffer;
}

static void give_back(struct pcw_buffer *buffer)
{
    free(buffer->named);
    name_table_free(&buffer->names);
    free(buffer);
}

void pcw_buffer_close(struct pcw_buffer *buffer)
{
    struct pcw *pcw = buffer->request->kernel->pcw;
    struct pcw_buffer **link = &pcw->buffers;

    assert(pcw_buffer_check(buffer, pcw));
    /* Callbacks end in any order: they run on several processors. */
    while (*link != buffer) {
        assert(*link != NULL);
        link = &(*link)->outer;
    }
    *link = buffer->outer;
    pcw_handle_close(pcw, PCW_BUFFER, buffer->handle, PCW_HANDLE_CLOSED);
    pcw_handle_forget(pcw, PCW_BUFFER, buffer->handle);
    give_back(buffer);
}

void pcw_buffers_free(struct pcw *pcw)
{
    while (pcw->buffers != NULL) {
        struct pcw_buffer *outer = pcw->buffers->outer;

        give_back(pcw->buffers);
        pcw->buffers = outer;
    }
}

static bool has_id(const struct pcw_buffer *buffer, uint32_t id)
{
    size_t i = 0;

    while (i < buffer->named_count && buffer->named[i].id != id) {
        i++;
    }
    return i < buffer->named_count;
}

/* Whether one of that name was added before; it is among the names from then
 * on. The text stays where it is. */
static bool note_name(struct pcw_buffer *buffer, struct pcw_text name)
{
    uint32_t hash = pcw_text_hash(name);
    struct name_entry *entry;

    if (name_table_find(&buffer->names, name, hash) != NULL) {
        return true;
    }
    entry = query_memory_take(buffer->request->memory, sizeof(*entry));
    *entry = (struct name_entry){.name = name, .hash = hash};
    name_table_insert(&buffer->names, entry);
    return false;
}

void pcw_buffer_note(struct pcw_buffer *buffer, struct pcw_text name,
    uint32_t id, struct pcw_twins *twins)
{
    struct pcw_text copy = {query_memory_copy(buffer->request->memory, name.at,
                                name.length * sizeof(*name.at)),
        name.length};

    assert(pcw_buffer_check(buffer, buffer->request->kernel->pcw));
    *twins = (struct pcw_twins){
        .id = ruling_is(buffer->request->kernel, RULED_PCW_ADD_04b_event) &&
              has_id(buffer, id),
    };
    buffer->named = list_room(buffer->named, &buffer->named_capacity,
        buffer->named_count, sizeof(*buffer->named));
    buffer->named[buffer->named_count++] = (struct pcw_named){id, copy};
    twins->name = note_name(buffer, copy);
}
