/* instance_ids.c - where the ids of a counter set's instances come from: counts
 * that are found by the set's name. */
#include "api/pcw/instance_ids.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/pcw/pcw.h"

struct pcw_ids {
    struct name_entry set; /* its name lies behind this structure */
    uint32_t silo;
    bool neutral; /* for all silos; `silo` is 0 */
    uint32_t next_id;
    struct pcw_ids *older;
};

/* 0xFFFFFFFE and 0xFFFFFFFF are no ids. */
enum { RESERVED_IDS = 2 };

static bool ids_check(const struct pcw_ids *ids)
{
    assert(ids->set.name.at == (const uint16_t *)(ids + 1));
    assert(ids->set.name.length > 0);
    assert(!ids->neutral || ids->silo == 0);
    /* The host's memory ends before: every instance has a handle for ever. */
    assert(ids->next_id < UINT32_MAX - RESERVED_IDS);
    return true;
}

/* The first one of the set, or the next; NULL: there is no other. */
static struct pcw_ids *first_of(
    const struct pcw *pcw, struct pcw_text set, uint32_t hash)
{
    return (struct pcw_ids *)name_table_find(&pcw->ids, set, hash);
}

static struct pcw_ids *next_of(const struct pcw_ids *ids)
{
    return (struct pcw_ids *)name_entry_next(&ids->set);
}

static struct pcw_ids *find(
    struct kernel *kernel, struct pcw_text set, uint32_t silo, bool neutral)
{
    struct pcw_ids *ids = first_of(kernel->pcw, set, pcw_text_hash(set));

    while (ids != NULL && !(ids->silo == silo && ids->neutral == neutral)) {
        ids = next_of(ids);
    }
    return ids;
}

static struct pcw_ids *make(struct kernel *kernel, struct pcw_text set)
{
    struct pcw *pcw = kernel->pcw;
    size_t bytes = set.length * sizeof(*set.at);
    struct pcw_ids *ids = pcw_alloc(sizeof(*ids) + bytes);

    memcpy(ids + 1, set.at, bytes);
    ids->set.name = (struct pcw_text){(const uint16_t *)(ids + 1), set.length};
    ids->set.hash = pcw_text_hash(set);
    ids->older = pcw->newest_ids;
    pcw->newest_ids = ids;
    name_table_insert(&pcw->ids, &ids->set);
    return ids;
}

/* The first id of a silo comes after those that it has seen already. */
struct pcw_ids *pcw_ids_of(
    struct kernel *kernel, struct pcw_text set, uint32_t silo, bool neutral)
{
    const struct pcw_ids *others;
    struct pcw_ids *ids;

    if (ruling_is(kernel, RULED_PCW_CRE_08b_registration)) {
        return make(kernel, set);
    }
    silo = neutral ? 0 : silo;
    ids = find(kernel, set, silo, neutral);
    if (ids != NULL) {
        return ids;
    }
    others = find(kernel, set, 0, true);
    ids = make(kernel, set);
    ids->silo = silo;
    ids->neutral = neutral;
    ids->next_id = others == NULL ? 0 : others->next_id;
    assert(ids_check(ids) && find(kernel, set, silo, neutral) == ids);
    return ids;
}

/* One that is free in every silo, and then is so in none. */
static uint32_t take_everywhere(struct kernel *kernel, struct pcw_ids *ids)
{
    struct pcw_ids *first = first_of(kernel->pcw, ids->set.name, ids->set.hash);
    uint32_t id = ids->next_id;

    for (struct pcw_ids *other = first; other != NULL; other = next_of(other)) {
        if (other->next_id > id) {
            id = other->next_id;
        }
    }
    for (struct pcw_ids *other = first; other != NULL; other = next_of(other)) {
        other->next_id = id + 1;
    }
    assert(ids->next_id == id + 1);
    return id;
}

uint32_t pcw_ids_take(struct kernel *kernel, struct pcw_ids *ids)
{
    assert(ids_check(ids));
    return ids->neutral ? take_everywhere(kernel, ids) : ids->next_id++;
}

void pcw_ids_free(struct pcw *pcw)
{
    name_table_free(&pcw->ids);
    while (pcw->newest_ids != NULL) {
        struct pcw_ids *older = pcw->newest_ids->older;

        free(pcw->newest_ids);
        pcw->newest_ids = older;
    }
}
