/* reference_buffer.h - the second opinion on event buffers: the records of each
 * processor, and which handlers get them (HAL-EVB-01 to HAL-EVB-07). */
#ifndef TESTS_RANDOM_REFERENCE_BUFFER_H
#define TESTS_RANDOM_REFERENCE_BUFFER_H

#include "tests/random/program.h"

struct answer;
struct held_set;
struct reference;

enum {
    /* Entries of a processor: at 246 records a buffer is crowded
     * (docs/fidelity.md), which no program lets happen. */
    REFERENCE_ENTRIES = 240,
    /* What is handed on in one step, times the sets that get it. */
    REFERENCE_HANDED = 1000,
    REFERENCE_SAMPLED = 4, /* counters that PEBS can sample, the general ones */
};

/* Of the status: the DS buffer has reached its threshold (pmu.md 1.2). */
#define REFERENCE_BUFFER_BIT (UINT64_C(1) << 62)

struct entry {
    uint32_t counters, ip;
};

struct buffer_state {
    struct entry entry[REFERENCE_ENTRIES]; /* not yet got by all */
    size_t count;
    uint64_t reset[REFERENCE_SAMPLED]; /* of the DS area */
};

/* Sets that have an event buffer on this processor. */
size_t reference_buffer_readers(
    const struct reference *reference, unsigned processor);

/* A set has been granted, or is freed. */
void reference_buffer_join(struct reference *reference, struct held_set *set);
void reference_buffer_leave(
    struct reference *reference, const struct held_set *set);

/* The records that this cycle of a run makes. */
void reference_buffer_record(struct reference *reference,
    const struct counting *run, struct answer *answer);

/* The handlers of event buffers in an interrupt with REFERENCE_BUFFER_BIT. */
void reference_buffer_serve(
    struct reference *reference, unsigned processor, struct answer *answer);

/* ACT_RESET: the value that a counter begins anew with after a record. */
void reference_buffer_reset(struct reference *reference,
    const struct program_step *step, struct answer *answer);

/* Whether the step is one that this file knows the rules of: sets with an event
 * buffer come and go while no other processor of theirs keeps the HAL out,
 * reset values are those of own counters, and no run crowds a buffer. */
bool reference_buffer_allows(
    const struct reference *reference, const struct program_step *step);

#endif
