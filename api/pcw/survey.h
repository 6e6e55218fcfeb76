/* survey.h - a counter set as Performance Monitor consumes it: the list of its
 * instances is opened (EnumerateInstances), they are added (AddCounter),
 * collected together and each by itself (CollectData), and removed
 * (RemoveCounter); another consumer goes away amid a collection. What a
 * callback says in the list and in the collection has to agree.
 *
 * It is code of a strand, at or below APC_LEVEL, as a query is. */
#ifndef API_PCW_SURVEY_H
#define API_PCW_SURVEY_H

#include "api/pcw/query.h"

enum {
    SURVEY_ROWS = 4096,  /* of a set with more only the first collection */
    SURVEY_REPORTED = 8, /* disagreements of one survey, the first ones */
};

/* What became of it. */
struct pcw_survey {
    bool no_memory;   /* the guest has none for a query: it ended early */
    bool too_many;    /* there are more than SURVEY_ROWS: nothing is compared */
    uint32_t failure; /* the last status of a list that was no success */
};

/* A filter for all instances; what disagrees breaks a rule, once for each
 * instance. It counts only where a second look finds the same [C]: an instance
 * may come or go between a list and a collection. */
struct pcw_survey pcw_survey(
    struct kernel *kernel, const struct pcw_filter *filter);

#endif
