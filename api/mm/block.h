/* block.h - the end of a block of guest memory that a driver knows: those who
 * watch blocks are told first. Knows nothing of who allocated it. */
#ifndef API_MM_BLOCK_H
#define API_MM_BLOCK_H

#include "api/core/routine.h"

struct cpu;
struct kernel;
struct memory_block;

/* Who wants to know that a live block is about to be freed, by that routine
 * (kernel_hooks). It may stop the machine. */
struct block_watcher {
    void (*freed)(struct kernel *kernel, struct cpu *cpu, enum routine routine,
        const struct memory_block *block);
};

/* Tells the watchers and frees the live block. */
void block_free(struct kernel *kernel, struct cpu *cpu, enum routine routine,
    const struct memory_block *block);

/* The same for the one that starts there. */
void block_free_at(struct kernel *kernel, enum routine routine, void *start);

#endif
