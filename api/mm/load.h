/* load.h - a load instruction of a driver that is played by a step: what native
 * code's own loads do by themselves. */
#ifndef API_MM_LOAD_H
#define API_MM_LOAD_H

#include <stddef.h>
#include <stdint.h>

struct kernel;

enum { LOAD_CYCLES = 4 }; /* [C] */

/* Reads 1, 2, 4 or 8 bytes at a guest address, by the processor that runs. What
 * may not be read is refused as touch_refuse() does. Recorded, and a preemption
 * point. */
uint64_t load_value(struct kernel *kernel, uint64_t from, size_t size);

#endif
