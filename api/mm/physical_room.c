/* physical_room.c - physical memory that is handed out by its addresses. */
#include "api/mm/physical_room.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/mm/mdl.h"

static uint64_t round_up(uint64_t page, uint64_t unit)
{
    return unit <= 1 ? page : (page + unit - 1) / unit * unit;
}

static bool crosses(const struct physical_claim *claim, uint64_t first)
{
    return claim->boundary != 0 &&
           first / claim->boundary !=
               (first + claim->count - 1) / claim->boundary;
}

/* The first page from `first` on where the claim fits as far as its own terms
 * go. */
static uint64_t fit(const struct physical_claim *claim, uint64_t first)
{
    first = round_up(first, claim->align);
    return crosses(claim, first)
               ? round_up(round_up(first, claim->boundary), claim->align)
               : first;
}

/* Where a run that begins at *first goes into the list; NULL: it does not fit.
 */
static struct physical_run **find_room(
    struct kernel *kernel, const struct physical_claim *claim, uint64_t *first)
{
    struct physical_run **link = &kernel->mdls->runs;
    uint64_t end =
        claim->end < PHYSICAL_ROOM_END ? claim->end : PHYSICAL_ROOM_END;

    *first =
        fit(claim, claim->lowest > PHYSICAL_ROOM_FIRST ? claim->lowest
                                                       : PHYSICAL_ROOM_FIRST);
    for (; *link != NULL; link = &(*link)->next) {
        const struct physical_run *run = *link;

        if (*first + claim->count <= run->first) {
            break;
        }
        if (*first < run->first + run->count) {
            *first = fit(claim, run->first + run->count);
        }
    }
    return crosses(claim, *first) || *first + claim->count > end ? NULL : link;
}

const struct physical_run *physical_room_take(
    struct kernel *kernel, const struct physical_claim *claim)
{
    struct mdls *mdls = kernel->mdls;
    struct physical_run *run, **link;
    uint64_t first;

    assert(claim->count > 0);
    link = find_room(kernel, claim, &first);
    if (link == NULL) {
        return NULL;
    }
    run = record_take(
        kernel, &mdls->run_pool, sizeof(*run), "runs of physical pages");
    *run = (struct physical_run){.first = first,
        .count = claim->count,
        .owner = claim->owner,
        .next = *link};
    *link = run;
    return run;
}

void physical_room_give(struct kernel *kernel, const void *owner)
{
    struct physical_run **link = &kernel->mdls->runs;

    while (*link != NULL) {
        struct physical_run *run = *link;

        if (run->owner != owner) {
            link = &run->next;
            continue;
        }
        for (uint64_t i = 0; i < run->count; i++) {
            frames_forget(&kernel->machine->memory, run->first + i);
        }
        *link = run->next;
        record_give(&kernel->mdls->run_pool, run);
    }
}

const struct physical_run *physical_room_of(
    const struct kernel *kernel, uint64_t page)
{
    const struct physical_run *run = kernel->mdls->runs;

    while (
        run != NULL && (page < run->first || page >= run->first + run->count)) {
        run = run->next;
    }
    return run;
}
