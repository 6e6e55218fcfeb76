/* mutex.h - mutexes: what a wait that is satisfied does to one. */
#ifndef API_KE_MUTEX_H
#define API_KE_MUTEX_H

#include "api/core/routine.h"

struct dispatch_object;
struct kernel;
struct kthread;
struct strand;

/* The thread, which the strand runs or waits in, owns the mutex once more. */
void mutex_take(struct kernel *kernel, struct dispatch_object *mutex,
    struct kthread *thread, struct strand *strand, enum routine routine);

/* The running thread is about to wait for the object, if it is a mutex: raises
 * where it owns it too often already (MTX-07). */
void mutex_check_wait(struct kernel *kernel, enum routine routine,
    const struct dispatch_object *object);

#endif
