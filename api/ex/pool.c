/* pool.c - pool blocks: allocating, freeing, and what a driver does wrong with
 * them. A record for each live block is found by the memory that it lies in.
 *
 * The parameters of the bug checks are those of the codes' pages
 * (BAD_POOL_CALLER 0xC2, SPECIAL_POOL_DETECTED_MEMORY_CORRUPTION 0xC1), with
 * names for addresses and the offset of the byte that was overwritten for its
 * address. */
#include "api/ex/pool.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/mm/block.h"

enum { POOL_ALIGNMENT = 16, POOL_CACHE_LINE = 64 };

/* Parameter 1 of BAD_POOL_CALLER. */
enum bad_caller {
    CALLER_FREED_TWICE = 0x07,
    CALLER_ALLOCATES_RAISED = 0x08,
    CALLER_FREES_RAISED = 0x09,
    CALLER_WRONG_TAG = 0x0A,
    CALLER_NEVER_POOL = 0x42,
    CALLER_NO_ADDRESS = 0x46,
    CALLER_BAD_ADDRESS = 0x99,
};

/* Parameter 4 of SPECIAL_POOL_DETECTED_MEMORY_CORRUPTION. */
enum { CORRUPT_AFTER_END = 0x24 };

static bool is_raised(struct kernel *kernel, const struct cpu *cpu)
{
    return irql_is_raised(kernel, cpu);
}

/* The bytes that a block takes up to its guard page; 0: more than a size_t
 * holds. */
static size_t rounded_size(const struct pool_request *request)
{
    size_t unit = request->cache_aligned ? POOL_CACHE_LINE : POOL_ALIGNMENT;
    size_t size = request->size == 0 ? 1 : request->size;

    if (size >= MEMORY_PAGE_BYTES) {
        unit = MEMORY_PAGE_BYTES;
    }
    size = (size + unit - 1) / unit * unit;
    assert(size == 0 || size >= request->size);
    assert(size % POOL_ALIGNMENT == 0);
    return size;
}

/* The block's memory with everything in it; NULL: there is none. */
static uint8_t *take_memory(
    struct memory *memory, const struct pool_request *request)
{
    size_t rounded = rounded_size(request);
    unsigned access = MEMORY_READ | MEMORY_WRITE |
                      (request->executable ? MEMORY_EXECUTE : MEMORY_NONE);
    uint8_t *start;
    size_t before;

    start = rounded == 0 ? NULL : memory_alloc(memory, rounded, request->fill);
    if (start == NULL) {
        return NULL;
    }
    assert((uintptr_t)start % POOL_ALIGNMENT == 0);
    memset(start + request->size, POOL_SLACK_FILL, rounded - request->size);
    before = (uintptr_t)start % MEMORY_PAGE_BYTES;
    if ((request->paged || request->executable) &&
        !memory_set(memory, start - before,
            (before + rounded) / MEMORY_PAGE_BYTES, access, request->paged)) {
        memory_free(memory, start);
        return NULL;
    }
    return start;
}

/* A record that is not in the list; NULL: there are no more. */
static struct pool_block *take_record(struct kernel *kernel)
{
    struct pool *pool = kernel->pool;

    return pool->live == POOL_LIVE_BLOCKS
               ? NULL
               : record_pool_take(&pool->records, &kernel->machine->arena,
                     sizeof(struct pool_block));
}

/* The block's neighbours in the list lead to it. */
static bool link_check(const struct pool *pool, const struct pool_block *block)
{
    const struct pool_block *previous = block->previous, *next = block->next;

    assert(block == (previous == NULL ? pool->first : previous->next));
    assert(block == (next == NULL ? pool->last : next->previous));
    assert(pool->live > 0 && pool->live <= POOL_LIVE_BLOCKS);
    return true;
}

/* The memory that a live block lies in, and what is said of both. */
static bool block_check(
    const struct kernel *kernel, const struct pool_block *block)
{
    const struct memory_block *memory =
        memory_find(&kernel->machine->memory, block->start);

    assert(link_check(kernel->pool, block));
    assert(memory != NULL && memory->start == block->start);
    assert(memory->context == block && memory->usable == block->size);
    assert(block->size <= memory->size);
    /* Others may be given a tag of 0, which they take as it is. */
    assert(block->tag == 0 || block->routine != ROUTINE_ExAllocatePool);
    return true;
}

bool pool_check(const struct kernel *kernel)
{
    const struct pool *pool = kernel->pool;
    uint32_t live = 0;

    assert((pool->first == NULL) == (pool->last == NULL));
    for (const struct pool_block *block = pool->first; block != NULL;
         block = block->next) {
        assert(block_check(kernel, block));
        live++;
    }
    assert(live == pool->live);
    return true;
}

static void list_append(struct pool *pool, struct pool_block *block)
{
    block->previous = pool->last;
    block->next = NULL;
    *(pool->last == NULL ? &pool->first : &pool->last->next) = block;
    pool->last = block;
    pool->live++;
    assert(link_check(pool, block));
}

static void list_remove(struct pool *pool, struct pool_block *block)
{
    assert(link_check(pool, block));
    *(block->previous == NULL ? &pool->first : &block->previous->next) =
        block->next;
    *(block->next == NULL ? &pool->last : &block->next->previous) =
        block->previous;
    pool->live--;
}

/* One to four characters from 20H to 7EH, the first in the lowest byte
 * (POOL-03). */
static bool tag_is_right(uint32_t tag)
{
    do {
        if ((tag & 0xFF) < 0x20 || (tag & 0xFF) > 0x7E) {
            return false;
        }
        tag >>= 8;
    } while (tag != 0);
    return true;
}

void *pool_refuse(
    struct kernel *kernel, const struct pool_request *request, NTSTATUS status)
{
    const struct exception_record record = {
        .code = status, .routine = request->routine};

    assert(NT_ERROR(status));
    if (request->raise) {
        exception_raise(kernel, &record);
    }
    return NULL;
}

/* What no document allows and no document answers goes on (GEN-RULE-01 [C]). */
static void check_request(
    struct kernel *kernel, struct cpu *cpu, const struct pool_request *request)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = CALLER_ALLOCATES_RAISED},
        {.value = irql_current(kernel, cpu)},
        {.value = request->paged},
        {.value = request->size},
    };

    if (request->paged && is_raised(kernel, cpu)) { /* POOL-04 */
        rule_stop(kernel, cpu, RULE_POOL_IRQL, request->routine, parameter);
    }
    if (request->size == 0) {
        rule_warn(kernel, cpu, RULE_POOL_ZERO_BYTES, request->routine);
    }
    if (request->tag != 0 && !tag_is_right(request->tag)) {
        rule_warn(kernel, cpu, RULE_POOL_BAD_TAG, request->routine);
    }
}

void *pool_allocate(
    struct kernel *kernel, struct cpu *cpu, const struct pool_request *request)
{
    struct memory *memory = &kernel->machine->memory;
    struct pool_block *block;
    uint8_t *start;

    assert(!request->paged || !request->executable); /* one kind of pool */
    check_request(kernel, cpu, request);
    block = take_record(kernel);
    start = block == NULL ? NULL : take_memory(memory, request);
    if (start == NULL) {
        if (block != NULL) {
            record_give(&kernel->pool->records, block);
        }
        return pool_refuse(kernel, request, STATUS_INSUFFICIENT_RESOURCES);
    }
    *block = (struct pool_block){
        .start = start,
        .size = request->size,
        .tag = request->tag,
        .paged = request->paged,
        .routine = request->routine,
        .owner = kernel_driver(kernel, cpu),
        .place = place_current(kernel),
        .step = thread_step(kernel),
    };
    list_append(kernel->pool, block);
    memory_attach(memory, start, block, request->size);
    assert(block_check(kernel, block));
    return start;
}

/* Stops the machine, at `place`, when bytes past the block's end are not as
 * they were. */
static void check_slack(struct kernel *kernel, struct cpu *cpu,
    const struct pool_block *block, enum routine routine, uint64_t place)
{
    struct memory *memory = &kernel->machine->memory;
    size_t rounded = memory_find(memory, block->start)->size;

    assert(rounded > 0 && rounded >= block->size);
    /* The slack lies in the last page. */
    memory_page_in(memory, block->start + rounded - 1);
    for (size_t at = block->size; at < rounded; at++) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = "pool block"},
            {.value = at},
            {.value = block->size},
            {.value = CORRUPT_AFTER_END},
        };

        if (block->start[at] != POOL_SLACK_FILL) {
            rule_stop_at(kernel, cpu, RULE_POOL_OVERRUN_SLACK, routine, place,
                parameter);
        }
    }
}

/* Blocks of event buffers are the HAL's. */
static bool is_pool(
    const struct kernel *kernel, const struct memory_block *block)
{
    return block != NULL && block->context != NULL &&
           block->context != kernel->event_buffers;
}

/* Nothing that can be freed starts at the address. */
static _Noreturn void refuse_free(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const void *address)
{
    struct memory *memory = &kernel->machine->memory;
    const struct memory_block *near = memory_near(memory, address);
    const struct memory_block *inside = memory_find(memory, address);
    enum rule rule = RULE_POOL_BAD_FREE;
    struct bugcheck_parameter parameter[4] = {
        {.value = CALLER_NEVER_POOL}, {.name = "no pool block"}};

    if (address == NULL) {
        parameter[0].value = CALLER_NO_ADDRESS;
        parameter[1].name = "NULL";
    } else if (near != NULL && near->freed && is_pool(kernel, near) &&
               near->start == address) {
        rule = RULE_POOL_DOUBLE_FREE;
        parameter[0].value = CALLER_FREED_TWICE;
        parameter[1].name = NULL;
        parameter[3].name = "freed pool block";
    } else if (is_pool(kernel, inside)) {
        parameter[0].value = CALLER_BAD_ADDRESS;
        parameter[1].name = "middle of a pool block";
    }
    rule_stop(kernel, cpu, rule, routine, parameter);
}

static void check_free(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct pool_block *block, uint32_t tag)
{
    const struct bugcheck_parameter raised[4] = {
        {.value = CALLER_FREES_RAISED},
        {.value = irql_current(kernel, cpu)},
        {.value = block->paged},
        {.name = "pool block"},
    };
    const struct bugcheck_parameter wrong_tag[4] = {
        {.value = CALLER_WRONG_TAG},
        {.name = "pool block"},
        {.value = block->tag},
        {.value = tag},
    };

    if (block->paged && is_raised(kernel, cpu)) { /* POOL-04 */
        rule_stop(kernel, cpu, RULE_POOL_IRQL, routine, raised);
    }
    if (tag != 0 && block->tag != 0 && tag != block->tag) {
        rule_stop(kernel, cpu, RULE_POOL_WRONG_TAG, routine, wrong_tag);
    }
    check_slack(kernel, cpu, block, routine, place_current(kernel));
}

void pool_free(struct kernel *kernel, struct cpu *cpu, enum routine routine,
    void *address, uint32_t tag)
{
    struct memory *memory = &kernel->machine->memory;
    const struct memory_block *found = memory_find(memory, address);
    struct pool_block *block;

    assert(kernel_cpu(kernel) == cpu);
    if (!is_pool(kernel, found) || found->start != address) {
        refuse_free(kernel, cpu, routine, address);
    }
    block = found->context;
    assert(block_check(kernel, block));
    check_free(kernel, cpu, routine, block, tag);
    block_free(kernel, cpu, routine, found);
    list_remove(kernel->pool, block);
    record_give(&kernel->pool->records, block);
}

const struct pool_block *pool_first(const struct kernel *kernel)
{
    return kernel->pool->first;
}

const struct pool_block *pool_next(const struct pool_block *block)
{
    return block->next;
}

enum { TAG_BYTES = 4 };

/* The tag's characters, the lowest byte first, as a debugger shows them. */
static void tag_text(uint32_t tag, char text[TAG_BYTES + 1])
{
    for (unsigned i = 0; i < TAG_BYTES; i++) {
        char c = (char)(tag >> 8 * i & 0xFF);

        text[i] = (char)(c >= ' ' && c <= '~' ? c : '?');
    }
    text[TAG_BYTES] = '\0';
}

static void list_blocks(
    struct kernel *kernel, const struct leak_listing *listing)
{
    char text[60], tag[TAG_BYTES + 1];

    assert(pool_check(kernel));
    for (const struct pool_block *block = pool_first(kernel); block != NULL;
         block = pool_next(block)) {
        if (block->owner != listing->driver) {
            continue;
        }
        tag_text(block->tag, tag);
        snprintf(text, sizeof(text), "%" PRIu64 " byte%s%s%s%s", block->size,
            block->size == 1 ? "" : "s", block->tag == 0 ? "" : " with tag '",
            block->tag == 0 ? "" : tag, block->tag == 0 ? "" : "'");
        leaks_found(listing, LEAK_POOL_BLOCK, text, block->step);
    }
}

static void report_blocks(
    struct kernel *kernel, struct cpu *cpu, const struct driver *owner)
{
    assert(pool_check(kernel));
    for (struct pool_block *block = kernel->pool->first; block != NULL;
         block = block->next) {
        if (block->owner == owner && leaks_is_news(&block->reported)) {
            rule_warn_at(
                kernel, cpu, RULE_POOL_LEAK, block->routine, block->place);
        }
    }
}

static void check_blocks(struct kernel *kernel, struct cpu *cpu)
{
    for (const struct pool_block *block = pool_first(kernel); block != NULL;
         block = pool_next(block)) {
        check_slack(kernel, cpu, block, ROUTINE_COUNT, block->place);
    }
    /* Looking has opened paged blocks, at whatever level. */
    memory_page_out(&kernel->machine->memory);
}

const struct leak_source pool_leaks = {
    LEAK_POOL_BLOCK, list_blocks, report_blocks, check_blocks};
