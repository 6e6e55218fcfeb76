/* dpc_flush.c - KeFlushQueuedDpcs: a thread waits until every DPC queued so far
 * has run (DPC-07). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dpc.h"
#include "sim/machine/strand.h"

void dpc_is_over(struct kernel *kernel, uint64_t order, bool threaded)
{
    struct dpc_flush **link = &kernel->dpcs->flush;

    assert(kernel->dpcs->outstanding[threaded] > 0);
    kernel->dpcs->outstanding[threaded]--;
    while (*link != NULL) {
        struct dpc_flush *flush = *link;

        if (order <= flush->last && (!threaded || flush->threaded)) {
            assert(flush->left > 0);
            flush->left--;
        }
        if (flush->left == 0) {
            *link = flush->next;
            dispatcher_ready(kernel, flush->strand);
        } else {
            link = &flush->next;
        }
    }
}

static void start_all(struct kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->machine->config.processors; i++) {
        struct dpc_processor *of = kernel->processor[i].dpcs;

        if (of != NULL && of->ordinary.first != NULL) {
            dpc_start(kernel, of);
        }
    }
}

void dpc_flush_all(struct kernel *kernel)
{
    struct dpcs *dpcs = kernel->dpcs;
    struct dpc_flush flush = {
        .strand = strand_current(kernel->machine),
        .last = dpcs->queued,
        .left = dpcs->outstanding[false],
        .threaded = !ruling_is(kernel, RULED_DPC_19_ordinary),
        .next = dpcs->flush,
    };

    if (flush.threaded) {
        flush.left += dpcs->outstanding[true];
    }
    if (flush.left > 0) {
        dpcs->flush = &flush;
        start_all(kernel);
        dispatcher_park(kernel, SWITCH_EXECUTIVE);
        assert(flush.left == 0);
    }
}

VOID KeFlushQueuedDpcs_body(void)
{
    dpc_flush_all(kernel_current());
}
