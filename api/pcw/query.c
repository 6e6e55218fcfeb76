/* query.c - a consumer's query: who is told of it, and what it collects. */
#include "api/pcw/query.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/pcw/callback.h"
#include "api/pcw/collect.h"
#include "api/pcw/pcw.h"
#include "sim/base/list_room.h"

/* Of the registrations that had AddCounter the last ones are looked at. */
static bool added_check(const struct pcw_query *query, const struct pcw *pcw)
{
    const uint32_t *added = query->added;
    size_t count = query->added_count;

    assert((added == NULL) == (count == 0));
    assert(count == 0 || query->announced);
    assert(
        count == 0 || added[count - 1] <= pcw->handles[PCW_REGISTRATION].count);
    assert(count < 2 || added[count - 2] < added[count - 1]);
    return true;
}

bool pcw_query_check(const struct pcw_query *query, const struct pcw *pcw)
{
    const struct pcw_filter *filter = &query->filter;

    assert(query->number > 0 && query->number <= pcw->query_count);
    assert(query->next == NULL || query->next->number < query->number);
    assert(filter->set.at == (const uint16_t *)(query + 1));
    assert(filter->instance.at == filter->set.at + filter->set.length);
    assert(query->request.row_count <= query->request.row_capacity);
    assert(added_check(query, pcw));
    return true;
}

/* Texts that the query owns: the set's name, then the wildcard. */
static struct pcw_text copy_text(uint16_t **at, struct pcw_text text)
{
    uint16_t *copy = *at;

    memcpy(copy, text.at, text.length * sizeof(*copy));
    *at += text.length;
    return (struct pcw_text){copy, text.length};
}

/* A set of a single instance is asked for without a name (PCW-CON-01), though
 * the instance may have one (PCW-CRE-03b): so it means any [C]. */
static struct pcw_text wildcard_of(const struct pcw_filter *filter)
{
    static const uint16_t any[] = {'*'};

    return filter->multiple || filter->instance.length > 0
               ? filter->instance
               : (struct pcw_text){any, 1};
}

struct pcw_query *pcw_query_prepare(
    struct kernel *kernel, const struct pcw_filter *filter)
{
    struct pcw_text instance = wildcard_of(filter);
    size_t units = filter->set.length + instance.length;
    struct pcw_query *query =
        pcw_alloc(sizeof(*query) + units * sizeof(uint16_t));
    uint16_t *text = (uint16_t *)(query + 1);

    query->number = ++kernel->pcw->query_count;
    query->filter = *filter;
    query->filter.set = copy_text(&text, filter->set);
    query->filter.instance = copy_text(&text, instance);
    query->memory = query_memory_new();
    query->next = kernel->pcw->queries;
    kernel->pcw->queries = query;
    if (!pcw_callback_prepare(kernel, query)) {
        pcw_query_close(kernel, query);
        return NULL;
    }
    assert(pcw_query_check(query, kernel->pcw));
    return query;
}

/* Whether the query asks the registration at all. */
static bool concerns(
    const struct pcw_query *query, const struct pcw_registration *registration)
{
    return !registration->closing &&
           pcw_registration_is_visible(registration, query->filter.silo) &&
           pcw_text_equal(registration->description.name, query->filter.set);
}

/* The first one that the query asks, from `registration` on. */
static struct pcw_registration *concerned_from(
    const struct pcw_query *query, struct pcw_registration *registration)
{
    while (registration != NULL && !concerns(query, registration)) {
        registration = registration->next;
    }
    return registration;
}

/* The one behind it; it is left, so it may be gone afterwards. */
static struct pcw_registration *leave_for_next(struct kernel *kernel,
    const struct pcw_query *query, struct pcw_registration *registration)
{
    struct pcw_registration *next = concerned_from(query, registration->next);

    assert(next == NULL || next->number > registration->number);
    pcw_registration_leave(kernel, registration);
    return next;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

static bool was_added(const struct pcw_query *query, uint32_t number)
{
    return query->added_count > 0 &&
           bsearch(&number, query->added, query->added_count,
               sizeof(*query->added), by_number) != NULL;
}

/* Numbers only grow, so the list stays in order. */
static void add_counter(struct kernel *kernel, struct pcw_query *query,
    struct pcw_registration *registration)
{
    query->added = list_room(query->added, &query->added_capacity,
        query->added_count, sizeof(*query->added));
    query->added[query->added_count++] = registration->number;
    assert(pcw_query_check(query, kernel->pcw));
    pcw_callback_notify(kernel, query, registration, PcwCallbackAddCounter);
}

struct pcw_query *pcw_query_open(
    struct kernel *kernel, const struct pcw_filter *filter)
{
    struct pcw_query *query = pcw_query_prepare(kernel, filter);
    uint32_t newest = kernel->pcw->handles[PCW_REGISTRATION].count;
    struct pcw_registration *registration;

    if (query == NULL) {
        return NULL;
    }
    query->announced = true;
    registration = concerned_from(query, kernel->pcw->first);
    while (registration != NULL && registration->number <= newest) {
        pcw_registration_enter(registration);
        add_counter(kernel, query, registration);
        registration = leave_for_next(kernel, query, registration);
    }
    return query;
}

static void begin_request(struct kernel *kernel, struct pcw_query *query,
    bool collects, uint32_t cancel_after)
{
    struct pcw_request *request = &query->request;

    assert(pcw_query_check(query, kernel->pcw));
    query_memory_reset(query->memory);
    *request = (struct pcw_request){
        .kernel = kernel,
        .query = query,
        .filter = &query->filter,
        .began = kernel_cpu(kernel)->time,
        .collects = collects,
        .cancel_after = cancel_after,
        .memory = query->memory,
        .row = request->row,
        .row_capacity = request->row_capacity,
    };
    pcw_request_check_cancel(request);
}

static const struct pcw_result *end_request(struct pcw_query *query)
{
    const struct pcw_request *request = &query->request;

    assert(
        request->query == query && request->row_count <= request->row_capacity);
    query->result = (struct pcw_result){
        .row = request->row,
        .row_count = request->cancelled ? 0 : request->row_count,
        .cycles = request->began,
        .cancelled = request->cancelled,
        .failure = query->failure,
    };
    query->failure = 0;
    return &query->result;
}

/* A consumer that wants one instance asks all as well: whose it is shows only
 * then (PCW-REG-09, PCW-ADD-09 [C]). */
static const struct pcw_result *ask_all(
    struct kernel *kernel, struct pcw_query *query)
{
    uint32_t newest = kernel->pcw->handles[PCW_REGISTRATION].count;
    struct pcw_registration *registration =
        concerned_from(query, kernel->pcw->first);

    while (registration != NULL && registration->number <= newest &&
           !query->request.cancelled) {
        pcw_registration_enter(registration);
        if (query->request.collects &&
            !was_added(query, registration->number) &&
            !ruling_is(kernel, RULED_PCW_CB_07_late)) {
            add_counter(kernel, query, registration);
        }
        pcw_collect_registration(&query->request, registration);
        registration = leave_for_next(kernel, query, registration);
    }
    return end_request(query);
}

const struct pcw_result *pcw_query_collect(
    struct kernel *kernel, struct pcw_query *query, uint32_t cancel_after)
{
    assert(query->announced);
    begin_request(kernel, query, true, cancel_after);
    return ask_all(kernel, query);
}

const struct pcw_result *pcw_query_enumerate(
    struct kernel *kernel, struct pcw_query *query, uint32_t cancel_after)
{
    begin_request(kernel, query, false, cancel_after);
    return ask_all(kernel, query);
}

static void give_back(struct pcw_query *query)
{
    query_memory_free(query->memory);
    free(query->request.row);
    free(query->added);
    free(query);
}

void pcw_query_close(struct kernel *kernel, struct pcw_query *query)
{
    struct pcw_query **link = &kernel->pcw->queries;

    assert(pcw_query_check(query, kernel->pcw));
    for (size_t i = 0; i < query->added_count; i++) {
        struct pcw_registration *registration =
            pcw_registration_numbered(kernel, query->added[i]);

        if (registration != NULL) {
            pcw_callback_notify(
                kernel, query, registration, PcwCallbackRemoveCounter);
        }
    }
    while (*link != query) {
        assert(*link != NULL);
        link = &(*link)->next;
    }
    *link = query->next;
    if (query->guest != NULL) {
        pcw_callback_forget(kernel, query);
        memory_free(&kernel->machine->memory, query->guest);
    }
    give_back(query);
}

struct pcw_query *pcw_query_find(struct kernel *kernel, uint32_t number)
{
    struct pcw_query *query = kernel->pcw->queries;

    while (query != NULL && query->number != number) {
        query = query->next;
    }
    return query;
}

uint32_t pcw_query_number(const struct pcw_query *query)
{
    return query->number;
}

const struct pcw_filter *pcw_query_filter(const struct pcw_query *query)
{
    return &query->filter;
}

void pcw_queries_free(struct pcw *pcw)
{
    while (pcw->queries != NULL) {
        struct pcw_query *next = pcw->queries->next;

        give_back(pcw->queries);
        pcw->queries = next;
    }
}

static bool is_listed(
    const struct pcw_registration *registration, uint32_t silo)
{
    return !registration->closing &&
           pcw_registration_is_visible(registration, silo);
}

/* Whether none before it has its name. */
static bool is_first_of_set(struct kernel *kernel,
    const struct pcw_registration *registration, uint32_t silo)
{
    const struct pcw_registration *other = kernel->pcw->first;

    while (other != registration &&
           !(is_listed(other, silo) && pcw_text_equal(other->description.name,
                                           registration->description.name))) {
        other = other->next;
    }
    return other == registration;
}

void pcw_sets_list(struct kernel *kernel, uint32_t silo,
    void (*found)(void *context, struct pcw_text name), void *context)
{
    for (const struct pcw_registration *registration = kernel->pcw->first;
         registration != NULL; registration = registration->next) {
        if (is_listed(registration, silo) &&
            is_first_of_set(kernel, registration, silo)) {
            found(context, registration->description.name);
        }
    }
}
