/* mdl_pages.c - MmAllocatePagesForMdl and MmFreePagesFromMdl: physical pages
 * that have no address until they are mapped. The MDL lies in a pool block,
 * which the driver frees itself (MDL-11c). */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/pool.h"
#include "api/mm/copy.h"
#include "api/mm/mdl.h"
#include "api/mm/mdl_user.h"
#include "api/mm/physical_room.h"

/* Of MmAllocatePagesForMdlEx (MDL-11b). */
enum pages_flag {
    MM_DONT_ZERO_ALLOCATION = 0x1,
    MM_ALLOCATE_FULLY_REQUIRED = 0x4,
    MM_ALLOCATE_REQUIRE_CONTIGUOUS_CHUNKS = 0x20,
};

enum {
    PAGES_TAG = 0x206C644D, /* "Mdl " */
    NEVER_GIVEN = 7,        /* parameter 1 of PFN_LIST_CORRUPT */
};

#define MOST_BYTES UINT64_C(0xFFFFF000)

/* No page lies behind that. */
#define ROOM_BYTES (PHYSICAL_ROOM_END * MEMORY_PAGE_BYTES)

struct pages_request {
    enum routine routine;
    uint64_t low, high, skip; /* bytes */
    uint64_t pages;
    ULONG flags;
};

/* Pages between two addresses, in runs as long as there are. Returns how many
 * it took. */
static uint64_t take_between(struct kernel *kernel,
    const struct pages_request *request, const void *owner, uint64_t offset,
    uint64_t wanted)
{
    bool whole = (request->flags & MM_ALLOCATE_REQUIRE_CONTIGUOUS_CHUNKS) != 0;
    struct physical_claim claim = {
        .lowest =
            (request->low + offset + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES,
        .end = (request->high + offset) / MEMORY_PAGE_BYTES + 1,
        .count = wanted,
        .owner = owner,
    };
    uint64_t taken = 0;

    if (whole && request->skip != 0) {
        claim.count = claim.align = request->skip / MEMORY_PAGE_BYTES;
    }
    while (taken < wanted && claim.count > 0) {
        if (claim.count <= wanted - taken &&
            physical_room_take(kernel, &claim) != NULL) {
            taken += claim.count;
        } else if (whole) {
            break;
        } else {
            claim.count /= 2;
        }
    }
    return taken;
}

static uint64_t take_pages(struct kernel *kernel,
    const struct pages_request *request, const void *owner)
{
    bool chunks = (request->flags & MM_ALLOCATE_REQUIRE_CONTIGUOUS_CHUNKS) != 0;
    uint64_t step =
        chunks ? 0 : request->skip / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES;
    uint64_t taken = take_between(kernel, request, owner, 0, request->pages);

    for (uint64_t offset = step; step != 0 && taken < request->pages &&
                                 offset < ROOM_BYTES - request->low;
         offset += step) {
        taken += take_between(
            kernel, request, owner, offset, request->pages - taken);
    }
    return taken;
}

/* Writes the numbers of the owner's pages, in ascending order, and what is in
 * the pages. False: the host has no more. */
static bool fill(struct kernel *kernel, const struct pages_request *request,
    const void *owner, uint64_t *number)
{
    int byte = (request->flags & MM_DONT_ZERO_ALLOCATION) != 0 ? 0xCD : 0;

    for (const struct physical_run *run = kernel->mdls->runs; run != NULL;
         run = run->next) {
        for (uint64_t i = 0; run->owner == owner && i < run->count; i++) {
            uint8_t *bytes =
                frames_bytes(&kernel->machine->memory, run->first + i);

            if (bytes == NULL) {
                return false;
            }
            memset(bytes, byte, MEMORY_PAGE_BYTES);
            *number++ = run->first + i;
        }
    }
    return true;
}

/* The MDL of the pages; NULL, and nothing is taken: there are none. */
static MDL *allocate(struct kernel *kernel, const struct pages_request *request)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct pool_request block = {.routine = request->routine,
        .size = sizeof(MDL) + request->pages * sizeof(uint64_t),
        .tag = PAGES_TAG,
        .fill = POOL_FILL};
    MDL *at = pool_allocate(kernel, cpu, &block);
    struct mdl *mdl = at == NULL ? NULL : mdl_keep(kernel, at, MDL_OF_PAGES);
    uint64_t taken = mdl == NULL ? 0 : take_pages(kernel, request, mdl);
    bool enough = (request->flags & MM_ALLOCATE_FULLY_REQUIRED) == 0
                      ? taken > 0
                      : taken == request->pages;

    if (enough && fill(kernel, request, mdl, (uint64_t *)(void *)(at + 1))) {
        *at = (MDL){.Size = (CSHORT)block.size,
            .MdlFlags = MDL_PAGES_LOCKED,
            .ByteCount = (ULONG)(taken * MEMORY_PAGE_BYTES)};
        mdl->holds_pages = true;
        return at;
    }
    if (at != NULL) { /* what watches the block gives its pages back */
        pool_free(kernel, cpu, request->routine, at, 0);
    }
    return NULL;
}

static MDL *allocate_checked(
    struct kernel *kernel, struct pages_request *request, uint64_t bytes)
{
    if (bytes == 0 || bytes > MOST_BYTES || request->low >= ROOM_BYTES) {
        return NULL;
    }
    request->pages = (bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;
    return allocate(kernel, request);
}

PVOID MmAllocatePagesForMdl_body(ULONGLONG LowAddress, ULONGLONG HighAddress,
    ULONGLONG SkipBytes, SIZE_T TotalBytes)
{
    struct pages_request request = {.routine = ROUTINE_MmAllocatePagesForMdl,
        .low = LowAddress,
        .high = HighAddress,
        .skip = SkipBytes};

    return allocate_checked(kernel_current(), &request, TotalBytes);
}

PVOID MmAllocatePagesForMdlEx_body(ULONGLONG LowAddress, ULONGLONG HighAddress,
    ULONGLONG SkipBytes, SIZE_T TotalBytes, MEMORY_CACHING_TYPE CacheType,
    ULONG Flags)
{
    struct pages_request request = {.routine = ROUTINE_MmAllocatePagesForMdlEx,
        .low = LowAddress,
        .high = HighAddress,
        .skip = SkipBytes,
        .flags = Flags};

    (void)CacheType; /* of what is mapped from here on */
    return allocate_checked(kernel_current(), &request, TotalBytes);
}

VOID MmFreePagesFromMdl_body(PMDL MemoryDescriptorList)
{
    const enum routine routine = ROUTINE_MmFreePagesFromMdl;
    const struct bugcheck_parameter parameter[4] = {
        {.value = NEVER_GIVEN}, {.value = (uintptr_t)MemoryDescriptorList}};
    struct kernel *kernel = kernel_current();
    MDL mdl = mdl_read(kernel, routine, MemoryDescriptorList);
    struct mdl *kept = mdl_find(kernel, MemoryDescriptorList);

    if (kept == NULL || !kept->holds_pages) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_MDL_PAGES_FREE, routine,
            parameter);
    }
    mdl.MdlFlags &= (CSHORT) ~(MDL_PAGES_LOCKED | MDL_MAPPED_TO_SYSTEM_VA);
    copy_out(kernel, routine, MemoryDescriptorList, &mdl, sizeof(mdl));
    mdl_user_unlocked(kernel, routine, kept);
    mdl_unmap(kernel, routine, kept);
    physical_room_give(kernel, kept);
    mdl_forget(kernel, kept);
}
