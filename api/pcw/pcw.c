/* pcw.c - the state of performance counter sets: memory of calls, and giving
 * back everything. */
#include "api/pcw/pcw.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/pcw/instance.h"
#include "api/pcw/instance_ids.h"
#include "api/pcw/query_list.h"

void *pcw_alloc(size_t size)
{
    void *memory = calloc(1, size == 0 ? 1 : size);

    assert(memory != NULL);
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
    free(pcw->name);
    free(pcw->blocks);
    for (enum pcw_kind kind = 0; kind < PCW_KINDS; kind++) {
        free(pcw->handles[kind].handle);
    }
    *pcw = (struct pcw){0};
}
