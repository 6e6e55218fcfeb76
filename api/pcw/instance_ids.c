/* instance_ids.c - where the ids of a counter set's instances come from:
 * counts in buckets by the set's name. */
#include "api/pcw/instance_ids.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/pcw/pcw.h"

struct pcw_ids {
    struct pcw_text set; /* behind this structure */
    uint32_t silo;
    bool neutral; /* for all silos; `silo` is 0 */
    uint32_t next_id;
    uint32_t hash;        /* of the name */
    struct pcw_ids *next; /* in its bucket */
};

/* 0xFFFFFFFE and 0xFFFFFFFF are no ids. */
enum { RESERVED_IDS = 2, FIRST_BUCKETS = 16 };

static bool ids_check(const struct pcw_ids *ids)
{
    assert(ids->set.at == (const uint16_t *)(ids + 1));
    assert(ids->set.length > 0);
    assert(ids->hash == pcw_text_hash(ids->set));
    assert(!ids->neutral || ids->silo == 0);
    assert(ids->next_id <= UINT32_MAX - RESERVED_IDS);
    return true;
}

/* Where those of the name are, among others; NULL: nowhere yet. */
static struct pcw_ids **bucket_of(const struct pcw *pcw, uint32_t hash)
{
    return pcw->ids_buckets == 0 ? NULL
                                 : &pcw->ids[hash & (pcw->ids_buckets - 1)];
}

static struct pcw_ids *first_of(const struct pcw *pcw, uint32_t hash)
{
    struct pcw_ids **bucket = bucket_of(pcw, hash);

    return bucket == NULL ? NULL : *bucket;
}

static bool is_of(const struct pcw_ids *ids, struct pcw_text set, uint32_t hash)
{
    return ids->hash == hash && pcw_text_equal(ids->set, set);
}

static struct pcw_ids *find(
    struct kernel *kernel, struct pcw_text set, uint32_t silo, bool neutral)
{
    uint32_t hash = pcw_text_hash(set);
    struct pcw_ids *ids = first_of(kernel->pcw, hash);

    while (ids != NULL && !(ids->silo == silo && ids->neutral == neutral &&
                              is_of(ids, set, hash))) {
        ids = ids->next;
    }
    return ids;
}

static void insert(struct pcw *pcw, struct pcw_ids *ids)
{
    struct pcw_ids **bucket = bucket_of(pcw, ids->hash);

    ids->next = *bucket;
    *bucket = ids;
}

/* As many buckets as counts, so that a look-up takes no longer with more. */
static void grow(struct pcw *pcw)
{
    uint32_t old_buckets = pcw->ids_buckets;
    struct pcw_ids **old = pcw->ids;

    if (pcw->ids_count < old_buckets) {
        return;
    }
    pcw->ids_buckets = old_buckets == 0 ? FIRST_BUCKETS : 2 * old_buckets;
    pcw->ids = pcw_alloc(pcw->ids_buckets * sizeof(struct pcw_ids *));
    for (uint32_t i = 0; i < old_buckets; i++) {
        while (old[i] != NULL) {
            struct pcw_ids *ids = old[i];

            old[i] = ids->next;
            insert(pcw, ids);
        }
    }
    free(old);
}

static struct pcw_ids *make(struct kernel *kernel, struct pcw_text set)
{
    size_t bytes = set.length * sizeof(*set.at);
    struct pcw_ids *ids = pcw_alloc(sizeof(*ids) + bytes);

    memcpy(ids + 1, set.at, bytes);
    ids->set = (struct pcw_text){(const uint16_t *)(ids + 1), set.length};
    ids->hash = pcw_text_hash(set);
    grow(kernel->pcw);
    insert(kernel->pcw, ids);
    kernel->pcw->ids_count++;
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

/* Nobody makes so many instances that an id comes again while it is in use. */
uint32_t pcw_id_after(uint32_t id)
{
    assert(id <= UINT32_MAX - RESERVED_IDS);
    return id == UINT32_MAX - RESERVED_IDS ? 0 : id + 1;
}

/* One that is free in every silo, and then is so in none. */
static uint32_t take_everywhere(struct kernel *kernel, struct pcw_ids *ids)
{
    struct pcw_ids *first = first_of(kernel->pcw, ids->hash);
    uint32_t id = ids->next_id;

    for (struct pcw_ids *other = first; other != NULL; other = other->next) {
        if (other->next_id > id && is_of(other, ids->set, ids->hash)) {
            id = other->next_id;
        }
    }
    for (struct pcw_ids *other = first; other != NULL; other = other->next) {
        if (is_of(other, ids->set, ids->hash)) {
            other->next_id = pcw_id_after(id);
        }
    }
    assert(ids->next_id == pcw_id_after(id));
    return id;
}

uint32_t pcw_ids_take(struct kernel *kernel, struct pcw_ids *ids)
{
    uint32_t id = ids->next_id;

    assert(ids_check(ids));
    if (ids->neutral) {
        return take_everywhere(kernel, ids);
    }
    ids->next_id = pcw_id_after(id);
    return id;
}

void pcw_ids_free(struct pcw *pcw)
{
    for (uint32_t i = 0; i < pcw->ids_buckets; i++) {
        while (pcw->ids[i] != NULL) {
            struct pcw_ids *next = pcw->ids[i]->next;

            free(pcw->ids[i]);
            pcw->ids[i] = next;
        }
    }
    free(pcw->ids);
}
