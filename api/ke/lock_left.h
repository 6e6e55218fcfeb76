/* lock_left.h - locks that are left held: by a thread that ends or goes back to
 * who has called it, by a driver that ends. */
#ifndef API_KE_LOCK_LEFT_H
#define API_KE_LOCK_LEFT_H

#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"

struct kernel;
struct kthread;

/* The running thread is about to end: the machine stops for a mutex that it
 * owns (MTX-09), and for another lock that it holds (THR-10 [C]). */
void lock_left_at_end(struct kernel *kernel, enum routine routine);

/* A driver's routine, which begins at `place`, has returned to the system: the
 * machine stops for a mutex more than it was called with (MTX-09). */
void lock_left_at_return(
    struct kernel *kernel, uint32_t owned_before, uint64_t place);

/* What a driver's code holds of locks that threads wait for: the warning
 * leak.lock for each when it ends. */
extern const struct leak_source lock_leaks;

#endif
