/* bytes.c - RtlCompareMemory, and what compilers call for copies and fills:
 * memcpy, memmove, memset, memcmp. The macros RtlCopyMemory, RtlMoveMemory,
 * RtlFillMemory and RtlZeroMemory end here, too. */
#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"

PVOID crt_memcpy_body(PVOID Destination, PVOID Source, SIZE_T Length)
{
    /* What overlaps is copied right [C]: the standard leaves it open. */
    copy_move(
        kernel_current(), ROUTINE_crt_memcpy, Destination, Source, Length);
    return Destination;
}

PVOID crt_memmove_body(PVOID Destination, PVOID Source, SIZE_T Length)
{
    copy_move(
        kernel_current(), ROUTINE_crt_memmove, Destination, Source, Length);
    return Destination;
}

PVOID crt_memset_body(PVOID Destination, LONG Fill, SIZE_T Length)
{
    copy_probe(kernel_current(), ROUTINE_crt_memset, Destination, Length, true);
    if (Length > 0) {
        memset(Destination, (uint8_t)Fill, Length);
    }
    return Destination;
}

/* The length of what is the same at the beginning of both. */
static SIZE_T same_bytes(
    enum routine routine, const void *first, const void *second, SIZE_T length)
{
    struct kernel *kernel = kernel_current();
    const uint8_t *a = first, *b = second;
    SIZE_T same = 0;

    copy_probe(kernel, routine, first, length, false);
    copy_probe(kernel, routine, second, length, false);
    while (same < length && a[same] == b[same]) {
        same++;
    }
    return same;
}

SIZE_T RtlCompareMemory_body(PVOID Source1, PVOID Source2, SIZE_T Length)
{
    return same_bytes(ROUTINE_RtlCompareMemory, Source1, Source2, Length);
}

LONG crt_memcmp_body(PVOID Source1, PVOID Source2, SIZE_T Length)
{
    SIZE_T same = same_bytes(ROUTINE_crt_memcmp, Source1, Source2, Length);

    assert(same <= Length);
    if (same == Length) {
        return 0;
    }
    return ((const uint8_t *)Source1)[same] < ((const uint8_t *)Source2)[same]
               ? -1
               : 1;
}
