/* seen.h - the names that a registration's callback gave its instances in the
 * last whole collection, by id: a logical instance keeps its name (PCW-CRE-14,
 * PCW-ADD-03a).
 *
 * A name that changes is no proof: ids may be the same for all instances
 * (PCW-ADD-04b), and an id may be given again, to another instance, when its
 * own is gone. So it counts as a mistake [C] only where nobody came or went,
 * the two collections having the same ids, and where ids tell instances apart:
 * another one has kept its id and name, or the name that was lost is now
 * another's. An id that several share says nothing. What goes unseen is a lone
 * instance that is renamed, and all of them at once. */
#ifndef API_PCW_SEEN_H
#define API_PCW_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/pcw/text.h"

struct pcw_seen;

/* An instance that a callback added. */
struct pcw_named {
    uint32_t id;
    struct pcw_text name;
};

/* Takes the place of `before` (NULL: the first collection), which is freed.
 * *renamed says whether an instance has got another name, as above. */
struct pcw_seen *pcw_seen_next(struct pcw_seen *before,
    const struct pcw_named *named, size_t count, bool *renamed);

void pcw_seen_free(struct pcw_seen *seen);

#endif
