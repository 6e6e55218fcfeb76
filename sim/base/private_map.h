/* private_map.h - host memory of the simulator's own, where no guest can know
 * it: each run draws the address anew. It is the one thing in a run that is
 * random, and nothing that a guest sees or a trace has depends on it. */
#ifndef SIM_BASE_PRIVATE_MAP_H
#define SIM_BASE_PRIVATE_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* `size` bytes of zeroes, which cost memory when they are touched first; not
 * `open`: inaccessible until mprotect() opens them. Given back by munmap().
 * NULL: the host refuses. */
void *private_map(size_t size, bool open);

/* The same, open, and of a kind that mremap() shows at other addresses, too;
 * processes that are forked would share it. */
void *shared_map(size_t size);

#endif
