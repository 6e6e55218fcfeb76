/* thread.c - the thread of a strand, which lies in it. */
#include "api/core/thread.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "sim/machine/strand.h"

_Static_assert(sizeof(struct thread) <= STRAND_LOCAL_BYTES, "fits a strand");

uint32_t thread_step(struct kernel *kernel)
{
    struct strand *strand = strand_current(kernel->machine);

    return strand == NULL ? 0 : thread_of(strand)->step;
}
