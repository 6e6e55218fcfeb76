/* contiguous.c - MmAllocateContiguousMemory and its kin, and noncached memory:
 * whole pages that lie one behind the other. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/claim.h"
#include "api/mm/io_space.h"
#include "api/mm/physical_room.h"

enum {
    FILL = 0xCD,              /* of memory that nobody has initialised */
    CALLER_NEVER_POOL = 0x42, /* parameter 1 of BAD_POOL_CALLER */
    ALL_ACCESS = MEMORY_READ | MEMORY_WRITE | MEMORY_EXECUTE,
};

struct contiguous_request {
    enum routine routine;
    enum claim_kind kind;
    uint64_t bytes;
    uint64_t lowest, highest, boundary;
    MEMORY_CACHING_TYPE cache;
    unsigned access;
};

static void warn(struct kernel *kernel, enum rule rule, enum routine routine)
{
    rule_warn(kernel, kernel_cpu(kernel), rule, routine);
}

/* The physical pages; false: there are none. */
static bool take_pages(struct kernel *kernel,
    const struct contiguous_request *request, struct claim *claim)
{
    const struct physical_claim pages = {
        .lowest = request->lowest / MEMORY_PAGE_BYTES +
                  (request->lowest % MEMORY_PAGE_BYTES != 0),
        /* The last byte of the last page lies below the limit. */
        .end = request->highest / MEMORY_PAGE_BYTES +
               (request->highest % MEMORY_PAGE_BYTES == MEMORY_PAGE_BYTES - 1),
        .count = claim->pages,
        .boundary = request->boundary / MEMORY_PAGE_BYTES,
        .owner = claim};
    const struct physical_run *run = physical_room_take(kernel, &pages);

    if (run == NULL) {
        return false;
    }
    claim->first = run->first;
    for (uint32_t i = 0; i < claim->pages; i++) {
        uint8_t *bytes = frames_bytes(&kernel->machine->memory, run->first + i);

        if (bytes == NULL) {
            return false;
        }
        memset(bytes, FILL, MEMORY_PAGE_BYTES);
    }
    return true;
}

static void end(
    struct kernel *kernel, enum routine routine, struct claim *claim)
{
    physical_room_give(kernel, claim);
    claim_end(kernel, routine, claim);
}

static PVOID allocate(
    struct kernel *kernel, const struct contiguous_request *request)
{
    struct memory *memory = &kernel->machine->memory;
    const struct claim given = {.kind = request->kind,
        .bytes = request->bytes,
        .pages = (uint32_t)((request->bytes + MEMORY_PAGE_BYTES - 1) /
                            MEMORY_PAGE_BYTES),
        .cache = request->cache};
    struct claim *claim = claim_add(kernel, &given);

    if (take_pages(kernel, request, claim)) {
        claim->block =
            memory_alloc(memory, (size_t)claim->pages * MEMORY_PAGE_BYTES, 0);
    }
    if (claim->block == NULL ||
        !io_space_show(kernel, claim->block, claim->first, claim->pages,
            request->access)) {
        end(kernel, request->routine, claim);
        return NULL;
    }
    claim->address = (uintptr_t)claim->block;
    return claim->block;
}

static PVOID allocate_checked(
    struct kernel *kernel, const struct contiguous_request *request)
{
    uint64_t boundary = request->boundary;

    if (request->bytes == 0) { /* Q9 [C] */
        warn(kernel, RULE_MM_ZERO_BYTES, request->routine);
        return NULL;
    }
    if (request->bytes > (uint64_t)FRAMES_MOST * MEMORY_PAGE_BYTES ||
        (boundary & (boundary - 1)) != 0 ||
        (boundary != 0 && boundary < MEMORY_PAGE_BYTES)) {
        return NULL;
    }
    return allocate(kernel, request);
}

PVOID MmAllocateContiguousMemory_body(
    SIZE_T NumberOfBytes, ULONGLONG HighestAcceptableAddress)
{
    const struct contiguous_request request = {
        .routine = ROUTINE_MmAllocateContiguousMemory,
        .kind = CLAIM_CONTIGUOUS,
        .bytes = NumberOfBytes,
        .highest = HighestAcceptableAddress,
        .cache = MmCached,
        .access = ALL_ACCESS};

    return allocate_checked(kernel_current(), &request);
}

PVOID MmAllocateContiguousMemorySpecifyCache_body(SIZE_T NumberOfBytes,
    ULONGLONG LowestAcceptableAddress, ULONGLONG HighestAcceptableAddress,
    ULONGLONG BoundaryAddressMultiple, MEMORY_CACHING_TYPE CacheType)
{
    const struct contiguous_request request = {
        .routine = ROUTINE_MmAllocateContiguousMemorySpecifyCache,
        .kind = CLAIM_CONTIGUOUS,
        .bytes = NumberOfBytes,
        .lowest = LowestAcceptableAddress,
        .highest = HighestAcceptableAddress,
        .boundary = BoundaryAddressMultiple,
        .cache = CacheType,
        .access = ALL_ACCESS};

    return allocate_checked(kernel_current(), &request);
}

static _Noreturn void refuse_free(
    struct kernel *kernel, enum routine routine, const void *address)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = CALLER_NEVER_POOL}, {.value = (uintptr_t)address}};

    rule_stop(kernel, kernel_cpu(kernel), RULE_MM_FREE_CONTIGUOUS, routine,
        parameter);
}

static struct claim *claim_of(struct kernel *kernel, enum claim_kind kind,
    enum routine routine, const void *address)
{
    struct claim *claim = claim_find(kernel, kind, (uintptr_t)address);

    if (claim == NULL) {
        refuse_free(kernel, routine, address);
    }
    return claim;
}

VOID MmFreeContiguousMemory_body(PVOID BaseAddress)
{
    const enum routine routine = ROUTINE_MmFreeContiguousMemory;
    struct kernel *kernel = kernel_current();

    end(kernel, routine,
        claim_of(kernel, CLAIM_CONTIGUOUS, routine, BaseAddress));
}

VOID MmFreeContiguousMemorySpecifyCache_body(
    PVOID BaseAddress, SIZE_T NumberOfBytes, MEMORY_CACHING_TYPE CacheType)
{
    const enum routine routine = ROUTINE_MmFreeContiguousMemorySpecifyCache;
    struct kernel *kernel = kernel_current();
    struct claim *claim =
        claim_of(kernel, CLAIM_CONTIGUOUS, routine, BaseAddress);

    if (claim->bytes != NumberOfBytes || claim->cache != CacheType) {
        warn(kernel, RULE_MM_FREE_OTHERWISE, routine);
    }
    end(kernel, routine, claim);
}

PVOID MmAllocateNonCachedMemory_body(SIZE_T NumberOfBytes)
{
    const struct contiguous_request request = {
        .routine = ROUTINE_MmAllocateNonCachedMemory,
        .kind = CLAIM_NONCACHED,
        .bytes = NumberOfBytes,
        .highest = UINT64_MAX,
        .cache = MmNonCached,
        .access = MEMORY_READ | MEMORY_WRITE};

    return allocate_checked(kernel_current(), &request);
}

VOID MmFreeNonCachedMemory_body(PVOID BaseAddress, SIZE_T NumberOfBytes)
{
    const enum routine routine = ROUTINE_MmFreeNonCachedMemory;
    struct kernel *kernel = kernel_current();
    struct claim *claim =
        claim_of(kernel, CLAIM_NONCACHED, routine, BaseAddress);

    if (claim->bytes != NumberOfBytes) {
        warn(kernel, RULE_MM_FREE_OTHERWISE, routine);
    }
    end(kernel, routine, claim);
}
