/* names.h - the names that a registration's callback gave its instances in the
 * last whole collection, by id: a logical instance keeps its name (PCW-CRE-14,
 * PCW-ADD-03a).
 *
 * A name that changes is no proof: ids may be the same for all instances
 * (PCW-ADD-04b), and an id may be given again, to another instance, when its
 * own is gone. So it counts as a mistake [C] only where nobody came or went,
 * the two collections having the same ids. An id that several share says
 * nothing, and neither does 0 as that of a lone instance: it may be what the
 * provider gives to all. */
#ifndef API_PCW_NAMES_H
#define API_PCW_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/pcw/text.h"

struct pcw_names;

/* An instance that a callback added. */
struct pcw_named {
    uint32_t id;
    struct pcw_text name;
};

/* What a collection has given, to be looked at when the next one has: a copy.
 */
struct pcw_names *pcw_names_new(const struct pcw_named *named, size_t count);

/* An instance that has got another name, as above. */
struct pcw_renamed {
    uint32_t id;
    struct pcw_text before, after; /* as long as the two collections */
};

/* Finds the first of them, by id, in two collections, the earlier of which may
 * be NULL. Returns whether there is one. */
bool pcw_names_changed(const struct pcw_names *before,
    const struct pcw_names *after, struct pcw_renamed *renamed);

/* An instance that has got another id. */
struct pcw_renumbered {
    struct pcw_text name; /* as long as the later collection */
    uint32_t before, after;
};

/* Finds the first of them, by its name, in two collections, the earlier of
 * which may be NULL (PCW-ADD-04b [C]): a name that one of either collection has
 * alone. Returns whether there is one. */
bool pcw_names_renumbered(const struct pcw_names *before,
    const struct pcw_names *after, struct pcw_renumbered *renumbered);

void pcw_names_free(struct pcw_names *names);

#endif
