/* wait_pair.h - KeSetEvent and its kin with Wait = TRUE: the level stays raised
 * until the wait that has to follow (WAIT-30). */
#ifndef API_KE_WAIT_PAIR_H
#define API_KE_WAIT_PAIR_H

#include "api/core/routine.h"

struct kernel;

/* The last act of such a routine: the level is raised (WAIT-31 [C]), and the
 * next call has to be a wait, which begins at the level of before. */
void wait_pair_begin(struct kernel *kernel, enum routine routine);

/* The driver's routine has returned, or its thread is about to end: where no
 * wait has followed that is an event of its own, and the level is as before
 * (WAIT-32 [C]). */
void wait_pair_abandon(struct kernel *kernel);

#endif
