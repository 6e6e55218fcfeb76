/* pool_routines.c - ExAllocatePool2, ExFreePool and their kin: flags and pool
 * types decoded (facts.md 7.4). */
#include "api/core/routine.h"

#include "api/core/integrity.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/ex/pool.h"

const struct pool_flag_row pool_flags[] = {
#define POOL_FLAG(name, value) {"POOL_FLAG_" #name, UINT64_C(value)},
#include "api/ex/pool_flags.def"
};
const size_t pool_flag_count = sizeof(pool_flags) / sizeof(pool_flags[0]);

/* Bits beside the POOL_TYPE that the WDK's headers have. */
enum pool_type_bit {
    TYPE_RAISE = 16,  /* POOL_RAISE_IF_ALLOCATION_FAILURE */
    TYPE_COLD = 256,  /* POOL_COLD_ALLOCATION, a hint */
    TYPE_NX = 512,    /* POOL_NX_ALLOCATION */
    TYPE_ZERO = 1024, /* POOL_ZERO_ALLOCATION */
};

/* Parameter 1 of BAD_POOL_CALLER. */
enum { CALLER_MUST_SUCCEED = 0x9A, CALLER_NO_TAG = 0x9B };

/* One kind of pool, and of the flags that have to be satisfied only known ones;
 * SESSION is the system's own. That there is just one kind is [C]. */
static bool flags_are_right(POOL_FLAGS flags)
{
    POOL_FLAGS kinds =
        POOL_FLAG_NON_PAGED | POOL_FLAG_NON_PAGED_EXECUTE | POOL_FLAG_PAGED;
    POOL_FLAGS kind = flags & kinds;
    POOL_FLAGS known = kinds | POOL_FLAG_USE_QUOTA | POOL_FLAG_UNINITIALIZED |
                       POOL_FLAG_CACHE_ALIGNED | POOL_FLAG_RAISE_ON_FAILURE;

    return (flags & UINT32_MAX & ~known) == 0 && kind != 0 &&
           (kind & (kind - 1)) == 0;
}

/* CI-02: memory integrity has no pool that is writable and executable. */
static void *allocate(
    struct kernel *kernel, const struct pool_request *request, uint64_t type)
{
    const struct bugcheck_parameter parameter[3] = {
        {.value = place_current(kernel), .name = "driver code"},
        {.value = type}, {.value = request->tag}};

    if (request->executable) {
        integrity_report(kernel, RULE_INTEGRITY_POOL_TYPE, request->routine,
            place_current(kernel), "", parameter);
    }
    return pool_allocate(kernel, kernel_cpu(kernel), request);
}

PVOID ExAllocatePool2_body(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag)
{
    struct kernel *kernel = kernel_current();
    const struct pool_request request = {
        .routine = ROUTINE_ExAllocatePool2,
        .size = NumberOfBytes,
        .tag = Tag,
        .paged = (Flags & POOL_FLAG_PAGED) != 0,
        .executable = (Flags & POOL_FLAG_NON_PAGED_EXECUTE) != 0,
        .cache_aligned = (Flags & POOL_FLAG_CACHE_ALIGNED) != 0,
        .raise = (Flags & POOL_FLAG_RAISE_ON_FAILURE) != 0,
        .fill = (Flags & POOL_FLAG_UNINITIALIZED) != 0 ? POOL_FILL : 0,
    };

    if (Tag == 0 || !flags_are_right(Flags)) {
        return pool_refuse(kernel, &request, STATUS_INVALID_PARAMETER);
    }
    return allocate(kernel, &request, Flags);
}

/* A pool type that Windows no longer knows, or an allocation without a tag. */
static _Noreturn void stop_caller(struct kernel *kernel, enum rule rule,
    unsigned violation, const struct pool_request *request, ULONG type)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = violation},
        {.value = type},
        {.value = request->size},
        {.value = request->tag},
    };

    rule_stop(kernel, kernel_cpu(kernel), rule, request->routine, parameter);
}

/* What ExAllocatePool and ExAllocatePoolWithTag have in common. Which of the
 * pools that are the system's own, or nobody's, is wanted is not answered: NULL
 * and a rule event [C]. */
static void *allocate_type(
    struct kernel *kernel, struct pool_request *request, ULONG type)
{
    ULONG base = type & ~(ULONG)(TYPE_RAISE | TYPE_COLD | TYPE_NX | TYPE_ZERO);

    request->raise = (type & TYPE_RAISE) != 0;
    request->fill = (type & TYPE_ZERO) != 0 ? 0 : POOL_FILL;
    request->paged = (base & 1) != 0;
    request->executable = !request->paged && (type & TYPE_NX) == 0;
    request->cache_aligned = (base & NonPagedPoolCacheAligned) != 0;
    if (base == NonPagedPoolMustSucceed ||
        base == NonPagedPoolCacheAlignedMustS) {
        stop_caller(
            kernel, RULE_POOL_MUST_SUCCEED, CALLER_MUST_SUCCEED, request, type);
    }
    if (base > PagedPoolCacheAligned || base == DontUseThisType) {
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_POOL_BAD_TYPE, request->routine);
        return pool_refuse(kernel, request, STATUS_INVALID_PARAMETER);
    }
    return allocate(kernel, request, type);
}

PVOID ExAllocatePoolWithTag_body(
    POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag)
{
    struct kernel *kernel = kernel_current();
    struct pool_request request = {.routine = ROUTINE_ExAllocatePoolWithTag,
        .size = NumberOfBytes,
        .tag = Tag};

    if (Tag == 0) {
        stop_caller(
            kernel, RULE_POOL_NO_TAG, CALLER_NO_TAG, &request, (ULONG)PoolType);
    }
    return allocate_type(kernel, &request, (ULONG)PoolType);
}

PVOID ExAllocatePool_body(POOL_TYPE PoolType, SIZE_T NumberOfBytes)
{
    struct pool_request request = {
        .routine = ROUTINE_ExAllocatePool, .size = NumberOfBytes};

    return allocate_type(kernel_current(), &request, (ULONG)PoolType);
}

VOID ExFreePool_body(PVOID P)
{
    struct kernel *kernel = kernel_current();

    pool_free(kernel, kernel_cpu(kernel), ROUTINE_ExFreePool, P, 0);
}

/* The WDK's headers make ExFreePool(P) of ExFreePoolWithTag(P, 0), so tag 0 is
 * not compared [C]. */
VOID ExFreePoolWithTag_body(PVOID P, ULONG Tag)
{
    struct kernel *kernel = kernel_current();

    pool_free(kernel, kernel_cpu(kernel), ROUTINE_ExFreePoolWithTag, P, Tag);
}
