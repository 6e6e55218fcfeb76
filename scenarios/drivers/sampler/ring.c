/* ring.c - x64 keeps stores in order, so only the compiler has to be kept from
 * moving a sample behind the index that announces it. */
#include "scenarios/drivers/sampler/ring.h"

#include "scenarios/drivers/sampler/defects.h"

struct ring *ring_make(ULONG capacity)
{
    POOL_TYPE pool = DEFECT == DEFECT_RING_PAGED ? PagedPool : NonPagedPoolNx;
    ULONG slots = capacity + 1;
    SIZE_T size = FIELD_OFFSET(struct ring, sample) +
                  slots * sizeof(struct sampler_sample);
    struct ring *ring = ExAllocatePoolWithTag(pool, size, SAMPLER_TAG);

    if (ring != NULL) {
        ring->first = 0;
        ring->end = 0;
        ring->slots = slots;
        ring->sequence = 0;
    }
    return ring;
}

VOID ring_free(struct ring *ring)
{
    ExFreePoolWithTag(ring, DEFECT == DEFECT_WRONG_TAG ? 'gniR' : SAMPLER_TAG);
}

static ULONG after(const struct ring *ring, ULONG slot)
{
    return slot + 1 == ring->slots ? 0 : slot + 1;
}

VOID ring_put(struct ring *ring, const struct sampler_sample *sample)
{
    ULONG end = ring->end;
    ULONG sequence = ring->sequence++;

    if (after(ring, end) == ring->first) {
        return;
    }
    ring->sample[end] = *sample;
    ring->sample[end].Sequence = sequence;
    _ReadWriteBarrier();
    ring->end = after(ring, end);
}

ULONG ring_take(struct ring *ring, struct sampler_sample *sample, ULONG room)
{
    ULONG taken = 0;

    while (taken < room && ring->first != ring->end) {
        _ReadWriteBarrier();
        sample[taken++] = ring->sample[ring->first];
        _ReadWriteBarrier();
        ring->first = after(ring, ring->first);
    }
    return taken;
}
