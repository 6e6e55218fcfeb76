/* lookaside.h - lookaside lists: known by the address of their head, which has
 * the public layout; a driver's inline code works on that alone (EXE-INL-04).
 */
#ifndef API_EX_LOOKASIDE_H
#define API_EX_LOOKASIDE_H

#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/mm/block.h"
#include "api/mm/storage_table.h"
#include "sim/base/record_pool.h"

struct driver;
struct kernel;

enum lookaside_kind {
    LOOKASIDE_NONPAGED, /* ExInitializeNPagedLookasideList's */
    LOOKASIDE_PAGED,    /* ExInitializePagedLookasideList's */
    LOOKASIDE_EX,       /* ExInitializeLookasideListEx's */
};

struct lookaside {
    struct stored stored; /* first: its head */
    enum lookaside_kind kind;
    const struct driver *driver; /* that initialised it */
    uint64_t place;              /* of the code that did; 0: unknown */
    uint32_t step;
    bool reported;                   /* as left behind */
    struct lookaside *newer, *older; /* among all */
};

struct lookasides {
    struct storage_table table;
    struct lookaside *newest;
    struct record_pool pool;
};

/* The head, which is none yet, is one from now on. */
void lookaside_make(struct kernel *kernel, enum routine routine,
    const void *address, enum lookaside_kind kind);

/* The list with that head; without one, or with one of another kind, the
 * machine stops (EXE-GEN-02 [C]). */
struct lookaside *lookaside_get(struct kernel *kernel, enum routine routine,
    const void *address, enum lookaside_kind kind);

/* It is a list no more. */
void lookaside_forget(struct kernel *kernel, struct lookaside *list);

/* What a driver leaves: the rule leak.lookaside_list (LOOK-04). */
extern const struct leak_source lookaside_leaks;

/* Memory that is freed has no list's head (LOOK-05). */
extern const struct block_watcher lookaside_block_watcher;

#endif
