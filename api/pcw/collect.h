/* collect.h - one registration's part of a request: its created instances, and
 * what its callback adds. */
#ifndef API_PCW_COLLECT_H
#define API_PCW_COLLECT_H

#include "api/pcw/query_list.h"

/* The registration's instances, those that were created first (PCW-CB-08 [C],
 * PCW-CB-09 [C]). The caller has entered it. */
void pcw_collect_registration(
    struct pcw_request *request, struct pcw_registration *registration);

/* Cancels the request if that is due after what it has recorded. */
void pcw_request_check_cancel(struct pcw_request *request);

#endif
