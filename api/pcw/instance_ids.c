/* instance_ids.c - where the ids of a counter set's instances come from:
 * counts in a list, for there are few counter sets. */
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
    struct pcw_ids *next;
};

/* 0xFFFFFFFE and 0xFFFFFFFF are no ids. */
enum { RESERVED_IDS = 2 };

static bool ids_check(const struct pcw_ids *ids)
{
    assert(ids->set.at == (const uint16_t *)(ids + 1));
    assert(ids->set.length > 0);
    assert(!ids->neutral || ids->silo == 0);
    assert(ids->next_id <= UINT32_MAX - RESERVED_IDS);
    return true;
}

static struct pcw_ids *find(
    struct kernel *kernel, struct pcw_text set, uint32_t silo, bool neutral)
{
    struct pcw_ids *ids = kernel->pcw->ids;

    while (ids != NULL && !(ids->silo == silo && ids->neutral == neutral &&
                              pcw_text_equal(ids->set, set))) {
        ids = ids->next;
    }
    return ids;
}

static struct pcw_ids *make(struct kernel *kernel, struct pcw_text set)
{
    size_t bytes = set.length * sizeof(*set.at);
    struct pcw_ids *ids = pcw_alloc(sizeof(*ids) + bytes);

    memcpy(ids + 1, set.at, bytes);
    ids->set = (struct pcw_text){(const uint16_t *)(ids + 1), set.length};
    ids->next = kernel->pcw->ids;
    kernel->pcw->ids = ids;
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
    uint32_t id = ids->next_id;

    for (struct pcw_ids *other = kernel->pcw->ids; other != NULL;
         other = other->next) {
        if (other->next_id > id && pcw_text_equal(other->set, ids->set)) {
            id = other->next_id;
        }
    }
    for (struct pcw_ids *other = kernel->pcw->ids; other != NULL;
         other = other->next) {
        if (pcw_text_equal(other->set, ids->set)) {
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
    while (pcw->ids != NULL) {
        struct pcw_ids *next = pcw->ids->next;

        free(pcw->ids);
        pcw->ids = next;
    }
}
