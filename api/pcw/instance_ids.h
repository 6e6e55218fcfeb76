/* instance_ids.h - where the ids of instances come from: one count for each
 * counter set and silo, whoever registers it, or for each registration
 * (PCW-CRE-08b [C]). Instances of a silo-neutral registration are seen beside
 * those of every silo, so their ids count in all of them [C]: no consumer finds
 * an id twice (PCW-CRE-08a). */
#ifndef API_PCW_INSTANCE_IDS_H
#define API_PCW_INSTANCE_IDS_H

#include "api/pcw/pcw.h"
#include "api/pcw/text.h"

/* The count of a counter set in a silo, or in all of them. */
struct pcw_ids *pcw_ids_of(
    struct kernel *kernel, struct pcw_text set, uint32_t silo, bool neutral);

/* The next id: from 0, never one that is reserved (PCW-ADD-04c [C]). */
uint32_t pcw_ids_take(struct kernel *kernel, struct pcw_ids *ids);

void pcw_ids_free(struct pcw *pcw);

#endif
