/* kthread.h - threads as objects: KTHREAD, its number, priority and regions.
 * One of the system has a strand for its whole life; an actor's has one for
 * each of its steps, and what runs nobody's code has none. */
#ifndef API_KE_KTHREAD_H
#define API_KE_KTHREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/nt/nt.h"
#include "sim/base/record_pool.h"

struct apc;
struct cpu;
struct dispatch_object;
struct driver;
struct kernel;
struct lock_hold;
struct lock_waiter;
struct segment;
struct strand;
struct thread_wait;

enum {
    PRIORITY_NORMAL = 8, /* STRAND_RANK */
    PRIORITY_HIGHEST = 31,
    PRIORITY_REALTIME = 16,
    KTHREAD_ATTACHMENTS = 8,
    KAPC_STATE_WORDS = 6, /* of 48 bytes (mingw-w64's ntifs.h) */
};

/* Calls that it is to make, and what else it is asked for: who asks is ps/apc,
 * and where a wait looks at it object_wait. */
struct thread_apcs {
    struct apc *first, *last; /* in the order in which they came */
    uint32_t special, normal; /* of the kernel, how many */
    uint32_t user;
    bool user_due; /* a wait has ended for those of user mode */
    bool running;  /* a normal one runs: no other does meanwhile */
    bool alerted;
    bool ending; /* it is to end, with `status` */
    NTSTATUS status;
};

struct kthread {
    uint64_t address;               /* KTHREAD, which nobody can look into */
    uint64_t id;                    /* TID-02 [C] */
    uint64_t teb;                   /* 0: nobody has asked, or it has none */
    struct dispatch_object *object; /* signalled when it has ended */
    struct strand *strand; /* that runs it or would; NULL: none does now */
    const struct driver *driver; /* that it belongs to; NULL: nobody's */
    uint8_t priority, base;
    uint32_t ideal;    /* the processor that it would rather run on */
    uint64_t ran;      /* cycles on processors, up to `since` */
    uint64_t since;    /* when it was put on the one that runs it */
    uint64_t ran_user; /* of what it ran: in user mode */
    bool system;       /* made by PsCreateSystemThread */
    bool idle;         /* of a processor that has nothing to do */
    bool worker;       /* it runs work items */
    bool ended;
    bool entered;   /* a strand has it, and runs until it leaves */
    uint32_t shown; /* processors whose area shows it (image/processor_area) */
    bool in_dpc;    /* it runs the routine of a threaded DPC */
    bool watched;   /* somebody accounts for it (thread_switch.h) */
    struct thread_profile *profile; /* that is enabled for it; NULL: none is */
    /* Processes that it is attached to, the last one last (PROC-11). */
    struct kthread_attachment {
        uint64_t state;               /* KAPC_STATE, by its address */
        const struct driver *program; /* NULL: the system's process */
    } attachment[KTHREAD_ATTACHMENTS];
    uint32_t attachments;
    NTSTATUS exit_status; /* STATUS_PENDING: it has not ended */
    /* How often APCs were turned off: 0 or below (APC-07). */
    int32_t kernel_apcs, special_apcs;
    struct thread_apcs apcs;
    uint32_t owned;                /* mutexes */
    struct lock_hold *holds;       /* locks, the one taken last first */
    struct lock_waiter *lock_wait; /* NULL: it does not wait for a lock */
    struct thread_wait *wait;      /* NULL: it does not wait for objects */
    void *of;       /* whoever made it: a system thread's record */
    uint64_t place; /* where it was made; 0: unknown */
    uint32_t step;  /* of the actor that made it; 0: none */
    bool reported;  /* as left behind */
    struct kthread *newer, *older; /* made behind it and before it */
};

struct kthreads {
    struct kthread *newest; /* of those that live or are referred to */
    struct record_pool pool;
    uint64_t made;           /* ids given out */
    uint32_t next_processor; /* of a thread that may run anywhere */
    uint32_t apcs;           /* queued to any of them */
    struct record_pool apc_pool;
};

/* The one that runs; it becomes an object with the first question. */
struct kthread *kthread_current(struct kernel *kernel);

/* A new one, that no strand runs yet. */
struct kthread *kthread_make(
    struct kernel *kernel, const struct driver *driver);

/* The program in whose process it runs now, attached or not; NULL: the
 * system's. */
const struct driver *kthread_process(const struct kthread *thread);

/* The number of the system process, the first there is (TID-02 [C]). */
uint64_t kthread_system_process_id(const struct kernel *kernel);

/* A number that no thread and no process has had (TID-02 [C]). */
uint64_t kthread_next_id(struct kernel *kernel);

/* Where a program's thread has its TEB, which nobody can look into; 0 of any
 * other thread, which has none. */
uint64_t kthread_teb(struct kernel *kernel, struct kthread *thread);

/* The strand runs it from now on. */
void kthread_attach(struct kthread *thread, struct strand *strand);

/* Its strand is about to end, and it goes on in another one or not at all. */
void kthread_detach(struct kthread *thread);

/* The one that runs has ended, and its strand does nothing more for it. */
void kthread_leave(struct kernel *kernel);

/* The record of a system thread is used again once it has ended and no object,
 * strand or processor refers to it: who takes such a reference away calls this.
 * One that has kept a lock stays, where its end is but reported (THR-10). */
void kthread_give_back(struct kernel *kernel, struct kthread *thread);

/* It is put on a processor, or leaves it: what it has run for is added up. */
void kthread_comes(struct kthread *thread, const struct cpu *cpu);
void kthread_goes(struct kthread *thread, const struct cpu *cpu);

/* Cycles that it has run for so far, on whichever processor it is. */
uint64_t kthread_ran(struct kernel *kernel, const struct kthread *thread);

/* The current thread runs the segment; its time is user mode's in that ring. */
void kthread_run(struct kernel *kernel, const struct segment *segment);

/* Run-time priority from now on; a lower one may give the processor away at the
 * next preemption point. */
void kthread_set_priority(
    struct kernel *kernel, struct kthread *thread, uint8_t priority);

/* The thread of that number that is alive or referred to; NULL: none. */
struct kthread *kthread_by_id(const struct kernel *kernel, uint64_t id);

/* The thread whose object a routine was given: another kind of object, or none,
 * stops the machine. */
struct kthread *kthread_get(
    struct kernel *kernel, enum routine routine, const void *address);

/* The thread whose object that is; NULL: it is no thread's. */
struct kthread *kthread_find(struct kernel *kernel, const void *address);

#endif
