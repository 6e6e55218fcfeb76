/* store.h - a store instruction of a driver that is played by steps: what
 * native code's own stores do by themselves. */
#ifndef API_MM_STORE_H
#define API_MM_STORE_H

#include <stddef.h>
#include <stdint.h>

struct answer_store;
struct kernel;

enum { STORE_CYCLES = 4 }; /* [C] */

/* Writes `size` bytes, 1 to 65536, at a guest address, by the processor that
 * runs. What may not be written is refused as touch_refuse() does, before
 * anything is. Recorded, and a preemption point. */
void store_bytes(
    struct kernel *kernel, uint64_t to, const void *from, size_t size);

/* The same for an answer, of which what is refused says what it is. */
void store_answer(
    struct kernel *kernel, const struct answer_store *store, const void *from);

#endif
