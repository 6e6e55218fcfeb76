/* places.h - where a processor was, sample by sample, in memory that is always
 * resident: a ring that a handler fills there and one reader empties, on any.
 */
#ifndef PROFILER_PLACES_H
#define PROFILER_PLACES_H

#include <ntddk.h>

#define PROFILER_TAG 'forP'

struct places {
    volatile ULONG first; /* the oldest; the reader's to move */
    volatile ULONG end;   /* behind the newest; the handler's to move */
    volatile ULONG lost;  /* for which there was no room */
    ULONG slots;          /* one more than places: full is not empty */
    ULONG64 address[ANYSIZE_ARRAY];
};

/* Empty; NULL: memory is short. */
struct places *places_make(ULONG capacity);
VOID places_free(struct places *places);

VOID places_put(struct places *places, ULONG64 address);

/* FALSE: there is none. */
BOOLEAN places_take(struct places *places, ULONG64 *address);

#endif
