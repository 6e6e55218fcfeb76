/* block.c - freeing a block of guest memory, and who is told of it. */
#include "api/mm/block.h"

#include <assert.h>

#include "api/core/kernel.h"

void block_free(struct kernel *kernel, struct cpu *cpu, enum routine routine,
    const struct memory_block *block)
{
    const struct block_watcher *const *watcher = kernel->hooks->block_watchers;

    assert(block != NULL && !block->freed);
    assert(routine < ROUTINE_COUNT); /* what blames it names it */
    for (; *watcher != NULL; watcher++) {
        (*watcher)->freed(kernel, cpu, routine, block);
    }
    memory_free(&kernel->machine->memory, block->start);
    assert(block->freed); /* so it was this one, whatever the watchers did */
}

void block_free_at(struct kernel *kernel, enum routine routine, void *start)
{
    const struct memory_block *block =
        memory_find(&kernel->machine->memory, start);

    assert(block != NULL && block->start == start);
    block_free(kernel, kernel_cpu(kernel), routine, block);
}
