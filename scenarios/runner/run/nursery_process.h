/* nursery_process.h - the processes of a nursery: the first one, and one for
 * each who wants children. */
#ifndef RUNNER_RUN_NURSERY_PROCESS_H
#define RUNNER_RUN_NURSERY_PROCESS_H

#include <sys/types.h>

struct nursery_home;

/* The first one's whole life: it ends with `parent`, or when nobody holds the
 * other end of the door any more. */
_Noreturn void nursery_process(
    int door, pid_t parent, const struct nursery_home *home);

#endif
