/* store.h - the places of the depot and what is there. All of it at
 * PASSIVE_LEVEL. */
#ifndef DEPOT_STORE_H
#define DEPOT_STORE_H

#include <ntddk.h>

#include "scenarios/drivers/depot/depot.h"

VOID store_start(VOID);

/* As in depot.h. */
NTSTATUS store_put(const struct depot_put *put);
NTSTATUS store_get(ULONG place, ULONG *bytes);
NTSTATUS store_drop(ULONG place);

/* Copies the bytes of all places; 0 where nothing is. */
VOID store_copy(ULONG bytes[DEPOT_PLACES]);

#endif
