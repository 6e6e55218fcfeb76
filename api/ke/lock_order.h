/* lock_order.h - which lock was taken while which others were held: two orders
 * of the same locks can come to a deadlock, in another run if not in this. */
#ifndef API_KE_LOCK_ORDER_H
#define API_KE_LOCK_ORDER_H

#include "api/core/routine.h"
#include "api/ke/lock.h"

struct kernel;

/* The running code is about to wait for a lock, which it does not hold, or to
 * take it: the warning lock.order for a lock that it holds and that was taken
 * elsewhere while this one was held. What only tries takes no part. */
void lock_order_note(struct kernel *kernel, enum routine routine,
    uint64_t address, enum lock_kind kind);

/* The lock is gone. */
void lock_order_forget(struct kernel *kernel, struct lock *lock);

/* The running code leaves its processor: the warning lock.held_wait for each
 * spin lock that the processor holds. */
void lock_order_wait(struct kernel *kernel, enum routine routine);

#endif
