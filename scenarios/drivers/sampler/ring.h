/* ring.h - the samples of one processor, in memory that is always resident. One
 * side puts them in, another takes them out, and neither waits: the overflow
 * handler on its processor, and one reader on any. */
#ifndef SAMPLER_RING_H
#define SAMPLER_RING_H

#include <ntddk.h>

#include "scenarios/drivers/sampler/sampler.h"

#define SAMPLER_TAG 'lpmS'

struct ring {
    volatile ULONG first; /* the oldest sample; the reader's to move */
    volatile ULONG end;   /* behind the newest; the handler's to move */
    ULONG slots;          /* one more than samples: full is not empty */
    ULONG sequence;       /* of the next sample */
    struct sampler_sample sample[ANYSIZE_ARRAY];
};

/* Empty; NULL: memory is short. */
struct ring *ring_make(ULONG capacity);
VOID ring_free(struct ring *ring);

/* Numbers the sample and puts it in, or drops it when there is no room. */
VOID ring_put(struct ring *ring, const struct sampler_sample *sample);

/* Takes at most `room` samples; returns how many. */
ULONG ring_take(struct ring *ring, struct sampler_sample *sample, ULONG room);

#endif
