/* irql_state.h - the level that each processor is at. Who raises and lowers it
 * is ke/irql.c. */
#ifndef API_CORE_IRQL_STATE_H
#define API_CORE_IRQL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/irql_level.h"

struct cpu;
struct kernel;

enum { IRQL_SHADOW_DEPTH = 64 };

struct irql_state {
    uint8_t current;
    uint8_t least;  /* the interrupt's level; PASSIVE_LEVEL: it is none */
    uint32_t depth; /* raises that are not undone yet */
    uint32_t floor; /* raises of the code that was interrupted */
    /* A bit each: a write to CR8 that changed nothing may have undone it. */
    uint64_t maybe_undone;
    uint64_t raised; /* the processor's own time at which it came to
                        DISPATCH_LEVEL or above, if it is there */
    /* What each raise that is not undone yet returned (IRQL-02c [C]); deeper
     * ones are not checked. */
    uint8_t shadow[IRQL_SHADOW_DEPTH];
};

/* What code was like that the kernel comes between, on one processor. */
struct irql_interrupted {
    uint8_t current, least;
    uint32_t depth, floor;
};

/* Whether the level is one of the architecture's, and none that was raised lies
 * below what it was raised from; asserts each part. */
static inline bool irql_state_check(
    const struct kernel *kernel, const struct irql_state *state);

/* The second half of that. */
bool irql_raises_check(const struct irql_state *state);

static inline uint8_t irql_current(
    struct kernel *kernel, const struct cpu *cpu);

/* The number of a level on this kernel's architecture. */
static inline uint8_t irql_number(
    const struct kernel *kernel, enum irql_level level);

/* Whether the processor is at DISPATCH_LEVEL or above, where no thread is
 * switched and nothing pageable may be touched. */
bool irql_is_raised(struct kernel *kernel, const struct cpu *cpu);

#endif
