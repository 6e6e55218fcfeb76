/* probing.c - what drivers have probed of a program's memory, and who touches
 * the rest. */
#include "api/mm/probing.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/mm/claim.h"
#include "api/mm/user_memory.h"
#include "sim/machine/strand.h"
#include "sim/memory/user_pages.h"

struct probed_range {
    struct probed_range *next;
    uint64_t start, end;
};

static struct probing *first_of(const struct kernel *kernel)
{
    return kernel->claims->probings.first;
}

/* Of the request that the running strand handles; NULL: it handles none. */
static struct probing *current(struct kernel *kernel)
{
    struct probing *probing = first_of(kernel);

    while (
        probing != NULL && probing->strand != strand_current(kernel->machine)) {
        probing = probing->next;
    }
    return probing;
}

void probing_begin(struct kernel *kernel, struct probing *probing)
{
    assert(strand_current(kernel->machine) != NULL);
    *probing = (struct probing){
        .next = first_of(kernel), .strand = strand_current(kernel->machine)};
    kernel->claims->probings.first = probing;
}

void probing_leave(struct kernel *kernel, struct probing *probing)
{
    const struct probing *other = first_of(kernel);

    probing->strand = NULL;
    if (!probing->closed) {
        return;
    }
    probing->closed = false;
    while (other != NULL && !other->closed) {
        other = other->next;
    }
    if (other == NULL) {
        user_pages_open_all(&kernel->machine->memory);
    }
}

void probing_end(struct kernel *kernel, struct probing *probing)
{
    struct probings *probings = &kernel->claims->probings;
    struct probing **at = &probings->first;

    while (*at != NULL && *at != probing) {
        at = &(*at)->next;
    }
    if (*at == NULL) { /* it never began */
        return;
    }
    *at = probing->next;
    while (probing->ranges != NULL) {
        struct probed_range *range = probing->ranges;

        probing->ranges = range->next;
        record_give(&probings->pool, range);
    }
}

void probing_enter(struct kernel *kernel)
{
    struct probing *probing;

    if (first_of(kernel) == NULL) {
        return;
    }
    probing = current(kernel);
    if (probing != NULL && !probing->closed) {
        probing->closed = true;
        user_pages_close(&kernel->machine->memory);
    }
}

/* One that these bytes belong to or continue grows; else there is one more. */
void probing_add(struct kernel *kernel, const volatile void *start, size_t size)
{
    struct probing *probing = current(kernel);
    uint64_t begin = (uintptr_t)start, end = begin + size;
    struct probed_range *range;

    assert(end >= begin);
    if (probing == NULL) {
        return;
    }
    user_pages_open(
        &kernel->machine->memory, (const void *)(uintptr_t)begin, size);
    for (range = probing->ranges; range != NULL; range = range->next) {
        if (begin <= range->end && range->start <= end) {
            range->start = begin < range->start ? begin : range->start;
            range->end = end > range->end ? end : range->end;
            return;
        }
    }
    range = record_take(kernel, &kernel->claims->probings.pool, sizeof(*range),
        "what drivers probe");
    *range = (struct probed_range){probing->ranges, begin, end};
    probing->ranges = range;
}

/* To where it is known from `address` on that bytes were probed, for whatever
 * request that is not over. */
static uint64_t probed_to(const struct kernel *kernel, uint64_t address)
{
    for (const struct probing *probing = first_of(kernel); probing != NULL;
         probing = probing->next) {
        for (const struct probed_range *range = probing->ranges; range != NULL;
             range = range->next) {
            if (address >= range->start && address < range->end) {
                return range->end;
            }
        }
    }
    return address;
}

static bool is_probed(
    const struct kernel *kernel, uint64_t address, uint64_t end)
{
    while (address < end) {
        uint64_t to = probed_to(kernel, address);

        if (to == address) {
            return false;
        }
        address = to;
    }
    return true;
}

/* Raises the rule, once for a block, where the running code handles a request
 * and nobody has probed all of these bytes, which are a program's. */
static void judge(
    struct kernel *kernel, enum routine routine, uint64_t address, size_t size)
{
    const struct probing *probing = current(kernel);
    const struct memory_block *block;

    if (probing == NULL || is_probed(kernel, address, address + size)) {
        return;
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_MM_UNPROBED, routine);
    block =
        memory_find(&kernel->machine->memory, (const void *)(uintptr_t)address);
    if (block != NULL) {
        probing_add(kernel, block->start, block->size);
    }
}

void probing_judge(
    struct kernel *kernel, enum routine routine, const void *start, size_t size)
{
    struct memory *memory = &kernel->machine->memory;

    if (size > 0 && first_of(kernel) != NULL &&
        memory_is_user(memory, (uintptr_t)start)) {
        user_pages_open(memory, start, size);
        judge(kernel, routine, (uintptr_t)start, size);
    }
}

void probing_stray(struct kernel *kernel, uint64_t address)
{
    const struct memory *memory = &kernel->machine->memory;

    if (address <= user_memory_highest(kernel) &&
        memory_find(memory, (const void *)(uintptr_t)address) == NULL) {
        judge(kernel, ROUTINE_COUNT, address, 1);
    }
}

bool probing_touched(struct kernel *kernel, uint64_t address)
{
    if (!user_pages_open(
            &kernel->machine->memory, (const void *)(uintptr_t)address, 1)) {
        return false;
    }
    judge(kernel, ROUTINE_COUNT, address, 1);
    return true;
}
