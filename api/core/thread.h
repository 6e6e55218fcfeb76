/* thread.h - what the kernel keeps for a thread: a strand that runs kernel
 * code or a driver's. */
#ifndef API_CORE_THREAD_H
#define API_CORE_THREAD_H

#include <assert.h>

#include "api/core/kernel.h"
#include "api/nt/nt.h"
#include "sim/machine/strand.h"

struct exception_frame;
struct guest_frame;
struct seh_activation;
struct way_out;

struct thread {
    struct exception_frame *frames;    /* what catches, the innermost first */
    struct guest_frame *guest;         /* the innermost call of native code */
    const struct guest_frame *covered; /* that one, while other code runs */
    struct seh_activation *activation; /* exceptions being dispatched */
    struct way_out *way_out; /* of the innermost body; NULL: nobody may leave */
    struct kthread *object;  /* of the thread; NULL: nobody has asked yet */
    /* Of KeSetSystemGroupAffinityThread; Mask 0: the user-mode affinity. */
    GROUP_AFFINITY affinity;
    uint32_t
        silo; /* the server silo it is attached to; 0: the host (PCW-REG-11b) */
    USHORT home; /* the group it was in when it had its user-mode affinity */
    bool moves;  /* it may be on a processor that its affinity forbids */
    bool system; /* the kernel made it: what it raises is 0x7E (EXE-GEN-07) */
    bool ready;  /* what it is about to be parked for has come */
    bool away;   /* it has left its processor, and has not come to one again */
    /* It runs a DispatchShutdown routine for which nothing may come from a disk
     * any more (IO-57a). */
    bool after_flush;
    /* Whose request it makes, from 1 (api/se/user.h); 0: none. */
    uint8_t user;
    const void *called; /* the callback's registration that runs; NULL: none */
    uint32_t step; /* of an actor, that runs now: its number from 1; 0: none */
};

/* The thread of a strand, zero when the strand began. */
static inline struct thread *thread_of(struct strand *strand)
{
    return (struct thread *)(void *)strand->local;
}

/* The one that runs. */
static inline struct thread *thread_current(struct kernel *kernel)
{
    struct strand *strand = strand_current(kernel->machine);

    assert(strand != NULL);
    return thread_of(strand);
}

/* The step of that one; 0 outside of threads too. */
uint32_t thread_step(struct kernel *kernel);

#endif
