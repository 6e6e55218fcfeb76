/* seen.h - the names that a registration's callback gave its instances in the
 * last whole collection, by id: a logical instance keeps its name (PCW-CRE-14,
 * PCW-ADD-03a). */
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
 * *renamed says whether an id that only one instance has, then and now, has got
 * another name. */
struct pcw_seen *pcw_seen_next(struct pcw_seen *before,
    const struct pcw_named *named, size_t count, bool *renamed);

void pcw_seen_free(struct pcw_seen *seen);

#endif
