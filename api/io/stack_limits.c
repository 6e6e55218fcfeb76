/* stack_limits.c - IoGetStackLimits: where the stack of the
 * running thread begins and ends. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

VOID IoGetStackLimits_body(PULONG_PTR LowLimit, PULONG_PTR HighLimit)
{
    const enum routine routine = ROUTINE_IoGetStackLimits;
    struct kernel *kernel = kernel_current();
    ULONG_PTR low = (ULONG_PTR)(uintptr_t)strand_guest_stack(kernel->machine);
    ULONG_PTR high = low + STRAND_GUEST_STACK_BYTES;

    copy_probe(kernel, routine, LowLimit, sizeof(low), true);
    copy_probe(kernel, routine, HighLimit, sizeof(high), true);
    copy_out(kernel, routine, LowLimit, &low, sizeof(low));
    copy_out(kernel, routine, HighLimit, &high, sizeof(high));
}
