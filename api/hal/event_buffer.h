/* event_buffer.h - event buffers of counter sets: the memory that PEBS writes
 * its records to on each processor, and their way to the handlers of the sets
 * that share it (HAL-EVB-01 to HAL-EVB-07). */
#ifndef API_HAL_EVENT_BUFFER_H
#define API_HAL_EVENT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/hal/arbiter.h"
#include "api/hal/pebs.h"
#include "sim/base/record_pool.h"

struct cpu;
struct kernel;

enum {
    EVENT_BUFFER_BYTES = 64 * 1024, /* of records, on each processor [C] */
    /* Records that are there when this much is full are handed on, however many
     * they are: what is left takes those that come meanwhile [C]. */
    EVENT_BUFFER_CROWDED = EVENT_BUFFER_BYTES / 4 * 3,
};

/* A set whose handler gets the entries of a processor. */
struct event_reader {
    struct counter_set *set;
    struct event_buffer *buffer;
    size_t at; /* bytes: where the first record lies that it has not got */
    struct event_reader *next;
};

/* Of one processor. Its memory, once it has some, it keeps. */
struct event_buffer {
    uint8_t *area;    /* the DS area; NULL: nobody has asked for one here */
    uint8_t *records; /* EVENT_BUFFER_BYTES, that PEBS writes to */
    uint8_t
        *entries; /* as many, that handlers are given, and closed while none
                     of them runs; the block's context is kernel->event_buffers
                   */
    struct event_reader *first; /* by the sets' numbers; NULL: not armed */
    uint32_t users;             /* readers, and those that are reserved */
    uint64_t area_before;       /* IA32_DS_AREA of whoever had it before */
};

struct event_buffers {
    bool asked; /* what processors have, in `pebs` */
    struct hal_pebs pebs;
    struct event_buffer *of; /* by processor; NULL: nobody has asked for one */
    struct record_pool pool;
};

/* Whether a buffer's readers are in order and lie in it, and it has memory
 * where it has readers; asserts each part. */
bool event_buffer_check(
    const struct kernel *kernel, const struct event_buffer *buffer);

/* Whether the PMU has event buffers at all (HAL-ALLOC-39e). */
bool event_buffers_exist(struct kernel *kernel);

/* Gets memory for a set with an event buffer, which is to be made. Readers, one
 * for each of its processors; NULL, and nothing is taken, when there is none.
 */
struct event_reader *event_buffers_reserve(
    struct kernel *kernel, const struct counter_claim *claim);

/* Readers that were reserved, and whose set is not made. */
void event_buffers_return(struct kernel *kernel, struct event_reader *readers);

/* From now on the set's counters write records on its processors, and its
 * handler gets the entries (HAL-EVB-06 [C]); `readers` are those that were
 * reserved for it. And it does not any more. */
void event_buffers_join(struct kernel *kernel, struct counter_set *set,
    struct event_reader *readers);
void event_buffers_leave(struct kernel *kernel, struct counter_set *set);

/* Gets memory for the sets that will have the processor, which is started next;
 * false: there is none, and nothing is taken. */
bool event_buffers_reserve_later(struct kernel *kernel, const struct cpu *cpu,
    struct event_reader **readers);

/* The processor, which runs, has been started: it is one of theirs. */
void event_buffers_join_later(
    struct kernel *kernel, struct cpu *cpu, struct event_reader *readers);

/* Whether records on this processor are the HAL's to serve. */
bool event_buffer_is_armed(struct kernel *kernel, const struct cpu *cpu);

/* Calls the handlers of the processor that runs for entries that are enough
 * (HAL-EVB-03a to HAL-EVB-03c), one set after the other as they were allocated.
 */
void event_buffer_serve(struct kernel *kernel, struct cpu *cpu);

#endif
