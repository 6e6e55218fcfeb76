/* pool.h - the pools: blocks of memory that drivers allocate and free
 * (facts.md 7.4). Every block is as in Windows' special pool: it ends at an
 * inaccessible page but for the rounding, and freed it stays inaccessible for
 * long. Knows nothing of flags and pool types; pool_routines.c decodes them. */
#ifndef API_EX_POOL_H
#define API_EX_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/driver.h"
#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "sim/base/record_pool.h"

struct cpu;
struct kernel;
struct memory_block;

enum {
    POOL_LIVE_BLOCKS = 20000, /* each costs the host two mappings of 65,000 */
    POOL_FILL = 0xCD,         /* of memory that nobody has initialised */
    POOL_SLACK_FILL = 0xBD,   /* between a block's end and its guard page */
};

/* A block that is not freed. */
struct pool_block {
    uint8_t *start;
    uint64_t size; /* bytes, as asked for */
    uint32_t tag;  /* 0: ExAllocatePool gave none */
    bool paged;
    bool reported;        /* as left behind */
    enum routine routine; /* that allocated it */
    const struct driver *owner;
    uint64_t place; /* in the driver's code; 0: none */
    uint32_t step;  /* of the actor's (struct thread) */
    struct pool_block *previous, *next;
};

struct pool {
    struct pool_block *first, *last; /* in order of allocation */
    struct record_pool records;
    uint32_t live;
};

struct pool_request {
    enum routine routine; /* that asks */
    uint64_t size;        /* bytes */
    uint32_t tag;
    bool paged, executable, cache_aligned;
    bool raise; /* a failure raises an exception */
    uint8_t fill;
};

/* Whether the live blocks are linked both ways, are as many as are counted, and
 * lie each in a block of guest memory that knows it; asserts each part. Goes
 * through all of them. */
bool pool_check(const struct kernel *kernel);

/* A block for the driver that runs on `cpu`, aligned to 16 bytes, from a page
 * on to a page. NULL when there is no room, or an exception. */
void *pool_allocate(
    struct kernel *kernel, struct cpu *cpu, const struct pool_request *request);

/* What an allocation gives that fails: NULL, or an exception with `status`. */
void *pool_refuse(
    struct kernel *kernel, const struct pool_request *request, NTSTATUS status);

/* Frees the block that starts at `address`; anything else is the driver's
 * mistake and stops the machine. `tag` 0 fits every block. */
void pool_free(struct kernel *kernel, struct cpu *cpu, enum routine routine,
    void *address, uint32_t tag);

/* The live blocks, in order of allocation; NULL: no more. */
const struct pool_block *pool_first(const struct kernel *kernel);
const struct pool_block *pool_next(const struct pool_block *block);

/* A driver's live blocks: a rule event pool.leak for each at its end, at the
 * place where it was allocated; and the machine stops when one was written past
 * its end, which only its free would have shown. */
extern const struct leak_source pool_leaks;

#define POOL_FLAG(name, value)                                                 \
    static const POOL_FLAGS POOL_FLAG_##name = UINT64_C(value);
#include "api/ex/pool_flags.def"

struct pool_flag_row {
    const char *name;
    uint64_t value;
};

extern const struct pool_flag_row pool_flags[];
extern const size_t pool_flag_count;

#endif
