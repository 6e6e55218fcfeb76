/* stack_pool.h - stacks for coroutines, each above a page that faults. */
#ifndef SIM_BASE_STACK_POOL_H
#define SIM_BASE_STACK_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STACK_GUARD_BYTES = 4096,
    STACK_POOL_KEPT = 256, /* open stacks that a reset leaves open */
};

#define STACK_POOL_PRIVATE ((uintptr_t)0) /* the simulator's own stacks */

struct stack_pool {
    uint8_t *base;
    size_t stack_bytes;  /* of each; only what is touched costs memory */
    uint32_t count;      /* reserved */
    uint32_t made;       /* opened so far: 0 .. made-1 */
    uint32_t *free_list; /* numbers of stacks given back */
    uint32_t free_count;
};

/* Reserves room for `count` stacks of `stack_bytes` at `address`, or elsewhere
 * when that is taken; STACK_POOL_PRIVATE: where private_map() finds it. Returns
 * false when the host refuses. */
bool stack_pool_reserve(struct stack_pool *pool, uintptr_t address,
    uint32_t count, size_t stack_bytes);

void stack_pool_release(struct stack_pool *pool);

/* Whether it is one that was reserved and is sound; asserts each part. */
bool stack_pool_check(const struct stack_pool *pool);

/* Has so many stacks open, used or not: then as many can be taken at once.
 * False: there are not so many, or the host refuses. */
bool stack_pool_open(struct stack_pool *pool, uint32_t count);

/* The lowest byte of a stack; NULL when all are in use. */
void *stack_pool_take(struct stack_pool *pool);

void stack_pool_give(struct stack_pool *pool, void *stack);

/* Whether these bytes lie in one of the stacks that were taken once. */
bool stack_pool_holds(
    const struct stack_pool *pool, const void *start, size_t size);

/* Whether `address` lies in a page below one of the stacks. */
bool stack_pool_is_guard(const struct stack_pool *pool, uintptr_t address);

/* Every stack is free again, also one that was abandoned in mid-call; memory of
 * those beyond the first ones goes back to the host. */
void stack_pool_reset(struct stack_pool *pool);

#endif
