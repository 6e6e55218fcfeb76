/* places.c - x64 keeps stores in order, so only the compiler has to be kept
 * from moving an address behind the index that announces it. */
#include "scenarios/drivers/profiler/places.h"

struct places *places_make(ULONG capacity)
{
    ULONG slots = capacity + 1;
    SIZE_T size =
        FIELD_OFFSET(struct places, address) + slots * sizeof(ULONG64);
    struct places *places =
        ExAllocatePoolWithTag(NonPagedPoolNx, size, PROFILER_TAG);

    if (places != NULL) {
        places->first = 0;
        places->end = 0;
        places->lost = 0;
        places->slots = slots;
    }
    return places;
}

VOID places_free(struct places *places)
{
    ExFreePoolWithTag(places, PROFILER_TAG);
}

static ULONG after(const struct places *places, ULONG slot)
{
    return slot + 1 == places->slots ? 0 : slot + 1;
}

VOID places_put(struct places *places, ULONG64 address)
{
    ULONG end = places->end;

    if (after(places, end) == places->first) {
        places->lost++;
        return;
    }
    places->address[end] = address;
    _ReadWriteBarrier();
    places->end = after(places, end);
}

BOOLEAN places_take(struct places *places, ULONG64 *address)
{
    if (places->first == places->end) {
        return FALSE;
    }
    _ReadWriteBarrier();
    *address = places->address[places->first];
    _ReadWriteBarrier();
    places->first = after(places, places->first);
    return TRUE;
}
