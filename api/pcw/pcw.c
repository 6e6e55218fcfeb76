/* pcw.c - memory, waiting, and the end of it all. */
#include "api/pcw/pcw.h"

#include <assert.h>
#include <stdlib.h>

#include "api/kernel.h"
#include "api/pcw/ids.h"
#include "api/pcw/instance.h"
#include "api/pcw/query_list.h"
#include "sim/strand.h"

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

/* A thread below DISPATCH_LEVEL takes its level along; above, which is there
 * only where IRQL-GEN-01 [C] is flipped, its processor is for nobody else. */
void pcw_wait(
    struct kernel *kernel, bool (*condition)(void *context), void *context)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct irql_state level;

    if (irql_current(kernel, cpu) >=
        irql_number(kernel, LEVEL_DISPATCH_LEVEL)) {
        strand_wait(kernel->machine, STRAND_SPINNING, condition, context);
        return;
    }
    level = irql_take(kernel, cpu);
    strand_wait(kernel->machine, STRAND_BLOCKED, condition, context);
    irql_bring(kernel, kernel_cpu(kernel), &level);
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
