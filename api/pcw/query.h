/* query.h - the other side of a provider: what a consumer asks of a counter
 * set, and what it is given (facts.md 5.7, 5.8). All of it is for code of a
 * strand, at or below APC_LEVEL, and a provider's callback runs there.
 *
 * A query is one filter, and one strand at a time uses it. A set that nobody
 * has registered is no error: there are no rows. Names that are equal stay as
 * they are (PCW-CON-03): "#n" is for whoever prints them. */
#ifndef API_PCW_QUERY_H
#define API_PCW_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/nt.h"
#include "api/pcw/text.h"

struct kernel;
struct pcw_query;

/* What is asked (PCW-CON-01); the texts are copied. */
struct pcw_filter {
    struct pcw_text set; /* name of the counter set, case ignored */
    /* Wildcard of at most 32,767 code units, "*": all (PCW-TYPE-05). Without
     * `multiple` an empty one is "*" as well (PCW-CON-01) [C]. */
    struct pcw_text instance;
    uint32_t id;       /* PCW_ANY_INSTANCE_ID: all */
    uint64_t counters; /* bit x: counter x (PCW-TYPE-06a) */
    /* CollectMultiple (PCW-TYPE-07). The consumer says it: a registration does
     * not say whether its set has one instance or many (PCW-REG-16). */
    bool multiple;
    uint32_t silo; /* the consumer's; 0: the host (PCW-REG-11b [C]) */
};

#define PCW_NEVER_CANCELLED UINT32_MAX

/* What values in one place of rows are of. */
struct pcw_column {
    uint16_t counter; /* id */
    uint16_t bytes;   /* as the registration has said: 4 or 8, but it may be
                         wrong */
};

struct pcw_value {
    uint16_t counter;
    uint16_t bytes;
    uint64_t value; /* the first 8 of them at most, zero-extended */
};

/* One instance. An enumeration has no values. */
struct pcw_row {
    uint32_t registration; /* number, from 1 in order of PcwRegister */
    struct pcw_text name;
    uint32_t id;
    /* In the order of the descriptors. Instances that the provider has created
     * share the columns: most of what a large request has is values. */
    const struct pcw_column *column;
    const uint64_t *value;
    size_t value_count;
};

static inline struct pcw_value pcw_row_value(
    const struct pcw_row *row, size_t which)
{
    return (struct pcw_value){row->column[which].counter,
        row->column[which].bytes, row->value[which]};
}

/* What a collection or enumeration gives; its memory is the query's. */
struct pcw_result {
    const struct pcw_row *row; /* in the order of the registrations */
    size_t row_count;
    uint64_t cycles;  /* machine time at which it began: that of its values */
    bool cancelled;   /* then there are no rows [C] */
    uint32_t failure; /* the last status of a callback since the result before
                         that was no success; 0: none. It changes nothing
                         (PCW-CB-02) */
};

/* Begins a query: AddCounter to every registration that it sees (PCW-CB-07
 * [C]). NULL only when guest memory is full. */
struct pcw_query *pcw_query_open(
    struct kernel *kernel, const struct pcw_filter *filter);

/* Collects once. The result is valid until the query is used again. With
 * `cancel_after` other than PCW_NEVER_CANCELLED the request is cancelled when
 * so many instances were recorded, 0: before the first (PCW-TYPE-08). */
const struct pcw_result *pcw_query_collect(
    struct kernel *kernel, struct pcw_query *query, uint32_t cancel_after);

/* A lone enumeration (PCW-CB-07 [C]) for a query that pcw_query_prepare() made,
 * or of an open one. */
const struct pcw_result *pcw_query_enumerate(
    struct kernel *kernel, struct pcw_query *query, uint32_t cancel_after);

/* A query of which nobody is told, for pcw_query_enumerate() alone. NULL only
 * when guest memory is full. */
struct pcw_query *pcw_query_prepare(
    struct kernel *kernel, const struct pcw_filter *filter);

/* RemoveCounter to every registration that had AddCounter and is still there;
 * then the query and its results are gone. */
void pcw_query_close(struct kernel *kernel, struct pcw_query *query);

/* Queries have numbers from 1. NULL: none of that number is open. */
struct pcw_query *pcw_query_find(struct kernel *kernel, uint32_t number);
uint32_t pcw_query_number(const struct pcw_query *query);
const struct pcw_filter *pcw_query_filter(const struct pcw_query *query);

/* Calls `found` for the name of every counter set that the silo sees, each
 * once, in order of their first registration; nobody is asked anything. */
void pcw_sets_list(struct kernel *kernel, uint32_t silo,
    void (*found)(void *context, struct pcw_text name), void *context);

#endif
