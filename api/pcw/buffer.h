/* buffer.h - what a request records: the instances that a provider has, with
 * their values. A callback knows it as its Buffer (PCW-ADD-02a). */
#ifndef API_PCW_BUFFER_H
#define API_PCW_BUFFER_H

#include "api/pcw/name_table.h"
#include "api/pcw/names.h"
#include "api/pcw/query.h"
#include "api/pcw/query_memory.h"
#include "api/pcw/registration.h"

struct memory_block;

/* One request of a consumer, from its begin to its end. */
struct pcw_request {
    struct kernel *kernel;
    struct pcw_query *query;
    const struct pcw_filter *filter;
    uint64_t began;        /* cycles */
    bool collects;         /* else it enumerates */
    uint32_t cancel_after; /* instances */
    bool cancelled;
    struct query_memory *memory; /* of values and names */
    struct pcw_row *row;
    size_t row_count, row_capacity;
};

/* A request at one registration's callback. */
struct pcw_buffer {
    uint64_t handle;
    struct pcw_request *request;
    struct pcw_registration *registration;
    struct pcw_named *named; /* what the callback added, filtered or not */
    size_t named_count, named_capacity;
    struct name_table
        names; /* of `named`, each once; in the request's memory */
    struct pcw_buffer *outer;
};

/* Is true: ends the process where something of it is not as it always is. */
bool pcw_buffer_check(const struct pcw_buffer *buffer, const struct pcw *pcw);

/* Whether the filter lets an instance through: its id and the wildcard. */
bool pcw_filter_passes(
    const struct pcw_filter *filter, struct pcw_text name, uint32_t id);

/* Whether it asks for the counter (PCW-TYPE-06a, PCW-TYPE-06b [C]). */
bool pcw_filter_wants(
    struct kernel *kernel, const struct pcw_filter *filter, uint16_t counter);

/* Whether the request takes no more instances: it is cancelled, or it is for a
 * single one and has that (PCW-TYPE-07, PCW-ADD-09 [C]). */
bool pcw_request_is_full(const struct pcw_request *request);

/* Whether a driver may read these bytes. */
bool pcw_is_readable(struct kernel *kernel, const void *start, size_t size);

/* Whether the bytes, which begin in that live block of the guest's memory
 * (NULL: in none), end behind what a driver asked for. Who may read there is
 * another matter. */
bool pcw_ends_early(
    const struct memory_block *block, const void *start, size_t size);

/* What `count` counters are in the block of all of them. */
void pcw_values_read(const struct pcw_counter *counter, size_t count,
    const uint8_t *block, uint64_t *value);

/* Values of an instance, and what they are of, in the request's room. */
struct pcw_values {
    struct pcw_column *column;
    uint64_t *value; /* NULL: an enumeration has none */
    size_t count;
};

/* Room for so many, until the next request of the query. */
struct pcw_column *pcw_request_columns(
    struct pcw_request *request, size_t count);
uint64_t *pcw_request_values(struct pcw_request *request, size_t count);

struct pcw_column pcw_column_of(const struct pcw_counter *counter);

/* Records an instance; the name is copied. It may be the one after which the
 * request is cancelled. */
void pcw_request_record(struct pcw_request *request, uint32_t registration,
    struct pcw_text name, uint32_t id, const struct pcw_values *values);

/* Begins and ends what a callback may use. */
struct pcw_buffer *pcw_buffer_open(
    struct pcw_request *request, struct pcw_registration *registration);
void pcw_buffer_close(struct pcw_buffer *buffer);

/* The memory of those whose callbacks never ended. */
void pcw_buffers_free(struct pcw *pcw);

/* What an instance has in common with one that the callback added before. */
struct pcw_twins {
    bool name; /* but for case */
    bool id;   /* looked for only if it matters: PCW-ADD-04b [C] */
};

/* Notes what the callback added. */
void pcw_buffer_note(struct pcw_buffer *buffer, struct pcw_text name,
    uint32_t id, struct pcw_twins *twins);

#endif
