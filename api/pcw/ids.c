/* ids.c - counts in a list: there are few counter sets. */
#include "api/pcw/ids.h"

#include <stdlib.h>
#include <string.h>

#include "api/kernel.h"

struct pcw_ids {
    struct pcw_text set; /* behind this structure */
    uint32_t silo;
    uint32_t next_id;
    struct pcw_ids *next;
};

/* 0xFFFFFFFE and 0xFFFFFFFF are no ids. */
enum { RESERVED_IDS = 2 };

struct pcw_ids *pcw_ids_of(
    struct kernel *kernel, struct pcw_text set, uint32_t silo)
{
    bool shared = !ruling_is(kernel, RULED_PCW_CRE_08b_registration);
    size_t bytes = set.length * sizeof(*set.at);
    struct pcw_ids *ids = kernel->pcw.ids;

    while (shared && ids != NULL &&
           !(ids->silo == silo && pcw_text_equal(ids->set, set))) {
        ids = ids->next;
    }
    if (shared && ids != NULL) {
        return ids;
    }
    ids = pcw_alloc(sizeof(*ids) + bytes);
    memcpy(ids + 1, set.at, bytes);
    ids->set = (struct pcw_text){(const uint16_t *)(ids + 1), set.length};
    ids->silo = silo;
    ids->next = kernel->pcw.ids;
    kernel->pcw.ids = ids;
    return ids;
}

void pcw_ids_begin(struct pcw_ids *ids, uint32_t id)
{
    ids->next_id = id;
}

/* Nobody makes so many instances that an id comes again while it is in use. */
uint32_t pcw_ids_take(struct pcw_ids *ids)
{
    uint32_t id = ids->next_id;

    ids->next_id = id == UINT32_MAX - RESERVED_IDS ? 0 : id + 1;
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
