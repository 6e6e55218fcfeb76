/* rows.h - what a consumer was given, as it is compared and shown. */
#ifndef RUNNER_COUNTERS_ROWS_H
#define RUNNER_COUNTERS_ROWS_H

#include "api/ctrpp/manifest.h"
#include "api/pcw/query.h"

struct facts;
struct named_manifests;

struct row_value {
    uint32_t counter; /* id */
    uint16_t size;    /* bytes, as it is registered */
    uint64_t value;
    const char *shown; /* the figure of a consumer; NULL: none, or none yet */
};

struct row {
    struct pcw_text wide;
    const char *name; /* the same, in UTF-8 */
    uint32_t id;
    struct row_value *value; /* in the order of the descriptors */
    size_t value_count;
};

struct rows {
    const struct manifest_set *set; /* NULL: no manifest describes it */
    struct row *item;
    size_t count;
    bool cancelled;
    uint64_t cycles; /* when that collection began */
};

/* A copy of a result for that set, without figures; child of `context`. */
struct rows *rows_copy(void *context, const struct manifest_set *set,
    const struct pcw_result *result);

/* The rows (NULL: there are none) as facts. What is heard is a child of
 * `context`, and its rows have no wide names. */
const struct rows *rows_exchange(void *context, struct facts *facts,
    const struct named_manifests *manifests, const struct rows *rows);

/* The first value of that counter; NULL: the row has none. */
const struct row_value *row_find(const struct row *row, uint32_t counter);

/* Whether a value is as wide as the manifest's type of its counter
 * (CTR-MAN-05), or one of them says nothing: there is no manifest (NULL), the
 * counter is not in it, or its type has no fixed size. A consumer reads by the
 * type what was stored by the registration, so no figure is made of a value
 * that does not agree [C]. */
bool row_value_agrees(
    const struct manifest_set *set, const struct row_value *value);

/* Tells of one that does not, as in "registered with 8 bytes, its type in the
 * manifest has 4". Child of `context`. */
char *row_value_width_text(void *context, const struct manifest_set *set,
    const struct row_value *value);

/* The ids of the other counters that a counter's figure is made of; NULL where
 * none has a part in it. */
struct counter_parts {
    const struct manifest_number *base, *multi, *time, *frequency;
};

/* What the counter's type needs (CTR-MAN-04). A manifest may give a counter
 * others, too, for which its type has no use: they are no part of it. */
struct counter_parts counter_parts_of(const struct manifest_counter *counter);

/* Works out the figures (PCW-CON-02), of these rows and the ones that the same
 * query gave before (NULL: none), on a machine of that frequency. */
void rows_make_figures(
    uint64_t mhz, struct rows *rows, const struct rows *before);

/* One row for people: abc 0: Requests 5 (2.5), 1 7. Child of `context`. */
char *row_text(void *context, const struct rows *rows, size_t n);

#endif
