/* physical_room.h - physical memory that is handed out by its addresses: runs
 * of pages between the first MiB and 2 GiB (below that is what firmware has,
 * above are devices). Knows nothing of what is in them. */
#ifndef API_MM_PHYSICAL_ROOM_H
#define API_MM_PHYSICAL_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct kernel;

/* The numbers of the first page that there is, and of the next behind the last.
 */
#define PHYSICAL_ROOM_FIRST UINT64_C(0x100)
#define PHYSICAL_ROOM_END UINT64_C(0x80000)

/* Pages that one owner has. */
struct physical_run {
    uint64_t first, count;
    const void *owner;
    struct physical_run *next; /* in ascending order */
};

struct physical_claim {
    uint64_t lowest, end; /* page numbers: of the first that is good for it, and
                           * of the next behind the last */
    uint64_t count;       /* pages, which are one behind the other */
    uint64_t
        boundary;   /* pages, a multiple of which they do not cross; 0: none */
    uint64_t align; /* pages, of which the first is a multiple; 0: one */
    const void *owner;
};

/* The lowest run that fits, which is the owner's from now on; NULL: there is
 * none. */
const struct physical_run *physical_room_take(
    struct kernel *kernel, const struct physical_claim *claim);

/* Gives all back that the owner has; what is in it is nobody's. */
void physical_room_give(struct kernel *kernel, const void *owner);

/* The run that has the page; NULL: nobody has it. */
const struct physical_run *physical_room_of(
    const struct kernel *kernel, uint64_t page);

#endif
