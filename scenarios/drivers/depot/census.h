/* census.h - how many items of which size there are, as the counter set "Sample
 * Depot Sizes": a work item counts them when they have changed, and Windows is
 * told of the last count. */
#ifndef DEPOT_CENSUS_H
#define DEPOT_CENSUS_H

#include <ntddk.h>

/* Takes the first census of the store, which has started. The work item is of
 * the device. STATUS_INSUFFICIENT_RESOURCES, or as Windows refuses the set. At
 * PASSIVE_LEVEL. */
NTSTATUS census_start(PDEVICE_OBJECT device);

/* When it returns no callback runs, nor the work item. At PASSIVE_LEVEL. */
VOID census_stop(VOID);

/* Has a new one taken soon; at or below DISPATCH_LEVEL. */
VOID census_changed(VOID);

/* For a planted mistake: waits for the work item. */
VOID census_await(VOID);

#endif
