/* query_list.h - the queries of a kernel's consumers. */
#ifndef API_PCW_QUERY_LIST_H
#define API_PCW_QUERY_LIST_H

#include "api/pcw/buffer.h"

struct pcw_query {
    uint32_t number;          /* from 1 */
    struct pcw_filter filter; /* its texts are the query's */
    bool announced;           /* AddCounter was called */
    bool surveys;             /* it compares lists and collections itself */
    uint32_t *added; /* numbers of the registrations that had AddCounter */
    size_t added_count, added_capacity;
    uint8_t *guest; /* memory that callbacks read: PCW_CALLBACK_INFORMATION,
                       the wildcard and the event */
    struct query_memory *memory; /* of the last result */
    uint32_t failure;            /* for the next one */
    struct pcw_request request;
    struct pcw_result result;
    struct pcw_query *next;
};

/* Is true: ends the process where something of it is not as it always is. */
bool pcw_query_check(const struct pcw_query *query, const struct pcw *pcw);

/* The memory of all of them. */
void pcw_queries_free(struct pcw *pcw);

#endif
