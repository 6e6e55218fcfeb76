/* irql_dispute.h - the levels at which a routine's page and its header's
 * annotation allow a call, where they differ (EXE-GEN-01). Knows nothing of who
 * calls, nor of what comes of it. */
#ifndef API_CORE_IRQL_DISPUTE_H
#define API_CORE_IRQL_DISPUTE_H

#include <stddef.h>

#include "api/core/routine.h"

struct irql_range {
    enum irql_level lowest, highest;
};

struct irql_dispute {
    enum routine routine;
    struct irql_range page, header;
};

extern const struct irql_dispute irql_disputes[]; /* irql_disputes.def */
extern const size_t irql_dispute_count;

/* NULL where both say the same. */
const struct irql_dispute *irql_dispute_find(enum routine routine);

#endif
