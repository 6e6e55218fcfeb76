/* splitmix.h - a seeded stream of numbers (SplitMix64), so that a random case
 * is known by its seed alone. */
#ifndef SIM_BASE_SPLITMIX_H
#define SIM_BASE_SPLITMIX_H

#include <stdint.h>

struct splitmix {
    uint64_t state; /* begins as the seed */
};

static inline uint64_t splitmix_next(struct splitmix *stream)
{
    uint64_t z = stream->state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* 0 .. bound-1; `bound` is not 0. */
static inline uint64_t splitmix_below(struct splitmix *stream, uint64_t bound)
{
    return splitmix_next(stream) % bound;
}

#endif
