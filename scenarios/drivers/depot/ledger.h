/* ledger.h - figures that every request changes, as the counter set "Sample
 * Depot": Windows asks for them by a callback, and gets them as of one
 * moment. */
#ifndef DEPOT_LEDGER_H
#define DEPOT_LEDGER_H

#include <ntddk.h>

/* As Windows refuses the set. At PASSIVE_LEVEL. */
NTSTATUS ledger_register(VOID);

/* When it returns no callback runs any more. At PASSIVE_LEVEL. */
VOID ledger_unregister(VOID);

/* At or below DISPATCH_LEVEL: an item is there, is not there any more after so
 * many ticks of the performance counter, or was looked for. */
VOID ledger_put(ULONG bytes);
VOID ledger_drop(ULONG bytes, LONGLONG ticks);
VOID ledger_get(BOOLEAN found);

#endif
