/* pcw.c - the state of performance counter sets: memory of calls, and giving
 * back everything. */
#include "api/pcw/pcw.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/pcw/instance.h"
#include "api/pcw/instance_ids.h"
#include "api/pcw/query_list.h"

bool pcw_check(const struct pcw *pcw)
{
    const struct pcw_registration *first = pcw->first, *last = pcw->last;

    assert((first == NULL) == (last == NULL));
    assert(first == NULL || first->previous == NULL);
    assert(last == NULL || last->next == NULL);
    assert(
        last == NULL || last->number <= pcw->handles[PCW_REGISTRATION].count);
    assert(pcw->queries == NULL || pcw->queries->number <= pcw->query_count);
    for (enum pcw_kind kind = 0; kind < PCW_KINDS; kind++) {
        assert(pcw->handles[kind].count <= pcw->handles[kind].capacity);
    }
    return true;
}

/* What has a handle, and memory still, is in a list. */
static bool objects_check(const struct pcw_handles *handles, size_t listed)
{
    size_t count = 0;

    for (uint32_t i = 0; i < handles->count; i++) {
        count += handles->handle[i].object != NULL;
    }
    assert(count == listed);
    return true;
}

bool pcw_lists_check(const struct pcw *pcw)
{
    size_t registrations = 0, instances = 0;

    assert(pcw_check(pcw));
    for (const struct pcw_registration *registration = pcw->first;
         registration != NULL; registration = registration->next) {
        assert(pcw_registration_check(registration, pcw));
        assert(pcw_instances_check(registration, pcw));
        registrations++;
        instances += registration->by_name.count;
    }
    assert(objects_check(&pcw->handles[PCW_REGISTRATION], registrations));
    assert(objects_check(&pcw->handles[PCW_INSTANCE], instances));
    for (const struct pcw_query *query = pcw->queries; query != NULL;
         query = query->next) {
        assert(pcw_query_check(query, pcw));
    }
    for (const struct pcw_buffer *buffer = pcw->buffers; buffer != NULL;
         buffer = buffer->outer) {
        assert(pcw_buffer_check(buffer, pcw));
    }
    return true;
}

void *pcw_alloc(size_t size)
{
    void *memory = calloc(size, sizeof(unsigned char));

    assert(memory != NULL || size == 0);
    return memory;
}

struct pcw_block *pcw_scratch_blocks(struct pcw *pcw, uint32_t count)
{
    free(pcw->blocks);
    pcw->blocks = pcw_alloc(count * sizeof(struct pcw_block));
    return pcw->blocks;
}

void pcw_release(struct pcw *pcw)
{
    assert(pcw_lists_check(pcw));
    for (uint32_t i = 0; i < pcw->handles[PCW_INSTANCE].count; i++) {
        free(pcw->handles[PCW_INSTANCE].handle[i].object);
    }
    for (uint32_t i = 0; i < pcw->handles[PCW_REGISTRATION].count; i++) {
        struct pcw_handle *handle = &pcw->handles[PCW_REGISTRATION].handle[i];

        if (handle->object != NULL) {
            pcw_registration_free(handle->object);
        }
    }
    pcw_buffers_free(pcw);
    pcw_queries_free(pcw);
    pcw_ids_free(pcw);
    free(pcw->refusal);
    free(pcw->name);
    free(pcw->blocks);
    for (enum pcw_kind kind = 0; kind < PCW_KINDS; kind++) {
        free(pcw->handles[kind].handle);
    }
    *pcw = (struct pcw){0};
}
