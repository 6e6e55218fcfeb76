/* stack_pool.c - stacks for coroutines, each above a page that faults.
 *
 * They lie in one inaccessible mapping and are opened on first use. Each that
 * is open is two mappings to the host, which has no more than 65,530. */
#define _GNU_SOURCE
#include "sim/base/stack_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sim/base/private_map.h"

static size_t slot_bytes(const struct stack_pool *pool)
{
    return pool->stack_bytes + STACK_GUARD_BYTES;
}

bool stack_pool_check(const struct stack_pool *pool)
{
    assert(pool->base != NULL && pool->free_list != NULL);
    assert((uintptr_t)pool->base % STACK_GUARD_BYTES == 0);
    assert(pool->stack_bytes > 0);
    assert(pool->stack_bytes % STACK_GUARD_BYTES == 0);
    assert(pool->made <= pool->count);
    assert(pool->free_count <= pool->made);
    return true;
}

/* At the address if it is free: the host takes it as a hint. */
static void *stacks_map(uintptr_t address, size_t size)
{
    void *at;

    if (address == STACK_POOL_PRIVATE) {
        return private_map(size, false);
    }
    at = mmap((void *)address, size, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

bool stack_pool_reserve(struct stack_pool *pool, uintptr_t address,
    uint32_t count, size_t stack_bytes)
{
    size_t size = count * (stack_bytes + STACK_GUARD_BYTES);
    uint32_t *free_list = calloc(count, sizeof(*free_list));

    *pool = (struct stack_pool){.base = stacks_map(address, size),
        .stack_bytes = stack_bytes,
        .count = count,
        .free_list = free_list};
    if (pool->base == NULL || free_list == NULL) {
        stack_pool_release(pool);
        return false;
    }
    assert(stack_pool_check(pool));
    return true;
}

void stack_pool_release(struct stack_pool *pool)
{
    if (pool->base != NULL) {
        munmap(pool->base, pool->count * slot_bytes(pool));
    }
    free(pool->free_list);
    *pool = (struct stack_pool){0};
}

static void *stack_at(struct stack_pool *pool, uint32_t number)
{
    assert(number < pool->count);
    return pool->base + number * slot_bytes(pool) + STACK_GUARD_BYTES;
}

/* One more; false: the host refuses. */
static bool open_next(struct stack_pool *pool)
{
    if (mprotect(stack_at(pool, pool->made), pool->stack_bytes,
            PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    pool->free_list[pool->free_count++] = pool->made++;
    return true;
}

bool stack_pool_open(struct stack_pool *pool, uint32_t count)
{
    assert(stack_pool_check(pool));
    while (pool->made < count) {
        if (pool->made == pool->count || !open_next(pool)) {
            return false;
        }
    }
    return true;
}

void *stack_pool_take(struct stack_pool *pool)
{
    assert(stack_pool_check(pool));
    if (pool->free_count == 0 && !stack_pool_open(pool, pool->made + 1)) {
        return NULL;
    }
    return stack_at(pool, pool->free_list[--pool->free_count]);
}

void stack_pool_give(struct stack_pool *pool, void *stack)
{
    size_t offset = (size_t)((uint8_t *)stack - pool->base);

    assert(stack_pool_check(pool));
    assert(offset % slot_bytes(pool) == STACK_GUARD_BYTES);
    assert(offset / slot_bytes(pool) < pool->made);
    assert(pool->free_count < pool->made);
    pool->free_list[pool->free_count++] = (uint32_t)(offset / slot_bytes(pool));
}

/* Closes all but the first ones: nothing is left of them, and they are one
 * mapping again. */
static void close_many(struct stack_pool *pool)
{
    uint8_t *start = pool->base + STACK_POOL_KEPT * slot_bytes(pool);
    void *at = mmap(start, (pool->made - STACK_POOL_KEPT) * slot_bytes(pool),
        PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
        0);

    assert(at == start);
    (void)at;
    pool->made = STACK_POOL_KEPT;
}

void stack_pool_reset(struct stack_pool *pool)
{
    assert(stack_pool_check(pool));
    if (pool->made > STACK_POOL_KEPT) {
        close_many(pool);
    }
    pool->free_count = pool->made;
    /* Taken from the end, so the first stack comes first again. */
    for (uint32_t i = 0; i < pool->made; i++) {
        pool->free_list[i] = pool->made - 1 - i;
    }
}

bool stack_pool_holds(
    const struct stack_pool *pool, const void *start, size_t size)
{
    uintptr_t base = (uintptr_t)pool->base;
    uintptr_t offset = (uintptr_t)start - base;

    return (uintptr_t)start >= base && offset < pool->made * slot_bytes(pool) &&
           offset % slot_bytes(pool) >= STACK_GUARD_BYTES &&
           size <= slot_bytes(pool) - offset % slot_bytes(pool);
}

bool stack_pool_is_guard(const struct stack_pool *pool, uintptr_t address)
{
    uintptr_t base = (uintptr_t)pool->base;

    return address >= base && address - base < pool->made * slot_bytes(pool) &&
           (address - base) % slot_bytes(pool) < STACK_GUARD_BYTES;
}
