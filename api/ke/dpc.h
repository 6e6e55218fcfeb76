/* dpc.h - deferred procedure calls: objects by the address of their KDPC, a
 * queue for each processor and one for its thread. The storage has the public
 * layout and shows what was set; what counts is kept here (EXE-GEN-02 [C]). */
#ifndef API_KE_DPC_H
#define API_KE_DPC_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/ke/dispatcher.h"
#include "api/mm/block.h"
#include "api/mm/storage_table.h"
#include "sim/base/record_pool.h"

struct cpu;
struct driver;
struct kernel;
struct kthread;
struct strand;

enum { DPC_ARGUMENTS = 2 };

/* Who has a DPC of the kernel's own for a routine of a driver's. */
struct dpc_owner {
    const char *what; /* the routine is, for people */
    uint32_t running; /* calls of it */
    void (*is_over)(struct kernel *kernel, struct dpc_owner *owner);
};

struct dpc {
    struct stored stored; /* first */
    uint64_t routine, context;
    uint64_t argument[DPC_ARGUMENTS];
    const struct driver *driver; /* that initialised it */
    uint64_t place;              /* of the code that did; 0: unknown */
    uint32_t step;
    uint32_t target; /* its processor; DPC_ANY: of whoever queues it */
    uint8_t importance;
    bool threaded;
    bool paged;              /* its storage may be paged out (DPC-11 [C]) */
    bool freed;              /* its storage is gone, and it is queued */
    bool by_timer;           /* it was queued by one's expiry */
    uint32_t timers;         /* that are set and would queue it */
    struct dpc_owner *owner; /* NULL: a driver has made it */
    struct dpc_queue *in;    /* NULL: it is not queued */
    uint64_t order;          /* of queueing */
    struct dpc *next, *previous;
};

#define DPC_ANY UINT32_MAX

struct dpc_queue {
    struct dpc *first, *last;
    uint32_t count;
    uint64_t began; /* the routine that runs, or ran last */
};

/* What a processor has of them; made when it gets the first one. */
struct dpc_processor {
    struct cpu *cpu;
    struct dpc_queue ordinary, threaded;
    struct kthread *thread; /* that runs the threaded ones; NULL: not yet */
    bool parked;            /* it waits for one */
    bool idle_comes;        /* what runs when the processor is idle is made */
    uint64_t began;         /* when its ordinary queue was, the last time */
};

/* Ticks that the DPCs of a queue have together (DPC-22 [C]). */
enum { DPC_WATCHDOG_TICKS = 7680 };

/* A thread in KeFlushQueuedDpcs, on whose stack it lies. */
struct dpc_flush {
    struct strand *strand;
    uint64_t last; /* of those that it waits for, in order of queueing */
    uint64_t left;
    bool threaded; /* it waits for threaded ones, too */
    struct dpc_flush *next;
};

struct dpcs {
    struct storage_table table;
    struct record_pool pool;
    uint64_t queued;         /* so far */
    uint64_t outstanding[2]; /* ordinary ones and threaded ones, queued or
                                running */
    struct dpc_flush *flush;
};

/* The object for a routine's KDPC; without one the machine stops with
 * object.uninitialized. */
struct dpc *dpc_get(
    struct kernel *kernel, enum routine routine, const void *address);

/* One of the kernel's own, known by that address, which its routine is given
 * with the context. */
struct dpc *dpc_make_own(struct kernel *kernel, uint64_t address,
    uint64_t routine, uint64_t context, struct dpc_owner *owner);

/* It is none any more, and not queued. */
void dpc_forget_own(struct kernel *kernel, struct dpc *dpc);

/* Puts it into the queue that it is for, and starts that if it is to (DPC-05).
 * False: it is in one already, and nothing has happened. */
bool dpc_queue_it(struct kernel *kernel, struct dpc *dpc,
    const uint64_t argument[DPC_ARGUMENTS]);

/* Takes it out, if it is in one. Returns whether it was. */
bool dpc_unqueue(struct kernel *kernel, struct dpc *dpc);

/* Whoever waits for those that were queued before may have to wait for one less
 * of them: it has run, or was taken out. */
void dpc_is_over(struct kernel *kernel, uint64_t order, bool threaded);

/* One more or one less timer that is active has the KDPC at that address, if
 * there is one. */
void dpc_count_timer(struct kernel *kernel, uint64_t address, bool more);

/* A timer that was set at `place` has expired: queues its DPC, which must be
 * there; or takes out again what an expiry has queued. */
void dpc_queue_for_timer(
    struct kernel *kernel, uint64_t address, uint64_t place);
void dpc_unqueue_for_timer(struct kernel *kernel, uint64_t address);

/* Starts the ordinary queue of a processor, which is run where its level is
 * below DISPATCH_LEVEL. */
void dpc_start(struct kernel *kernel, struct dpc_processor *of);

/* Starts the thread that runs the threaded ones. */
void dpc_start_thread(struct kernel *kernel, struct dpc_processor *of);

/* Waits for all that are queued by now (DPC-07), below DISPATCH_LEVEL. */
void dpc_flush_all(struct kernel *kernel);

/* The software interrupt runs the ordinary queue. */
extern const struct dispatch_work dpc_work;

/* What a driver has queued that ends: the warning leak.dpc (DPC-11 [C]). */
extern const struct leak_source dpc_leaks;

/* Memory that is freed has none that is queued (DPC-11 [C]). */
extern const struct block_watcher dpc_block_watcher;

#endif
