/* references.c - the check of what counters of a manifest refer to: other
 * counters of their set, by id. */
#include "api/ctrpp/references.h"

#include <assert.h>
#include <stdlib.h>
#include <talloc.h>

enum reference {
    REFERENCE_BASE,
    REFERENCE_TIME,
    REFERENCE_FREQUENCY,
    REFERENCE_MULTI,
    REFERENCES
};

static const enum attribute reference_attributes[REFERENCES] = {
    [REFERENCE_BASE] = ATTRIBUTE_BASE_ID,
    [REFERENCE_TIME] = ATTRIBUTE_PERF_TIME_ID,
    [REFERENCE_FREQUENCY] = ATTRIBUTE_PERF_FREQ_ID,
    [REFERENCE_MULTI] = ATTRIBUTE_MULTI_ID,
};

/* Counters by id, so that a large set is not searched for each. */
struct by_id {
    uint32_t id;
    size_t counter;
};

struct references {
    struct reading *reading;
    const struct manifest_set *set;
    const struct read_counter *read;
    struct by_id *by_id;
    size_t count;
    bool knows_ids; /* all of them could be read */
};

static int compare(const void *left, const void *right)
{
    const struct by_id *a = left, *b = right;

    if (a->id != b->id) {
        return a->id < b->id ? -1 : 1;
    }
    return (a->counter > b->counter) - (a->counter < b->counter);
}

static int compare_ids(const void *left, const void *right)
{
    const struct by_id *a = left, *b = right;

    return (a->id > b->id) - (a->id < b->id);
}

static struct manifest_number reference_of(
    const struct manifest_counter *counter, enum reference reference)
{
    switch (reference) {
    case REFERENCE_BASE:
        return counter->base_id;
    case REFERENCE_TIME:
        return counter->perf_time_id;
    case REFERENCE_FREQUENCY:
        return counter->perf_freq_id;
    case REFERENCE_MULTI:
    case REFERENCES:
        break;
    }
    return counter->multi_counter_id;
}

/* CTR-MAN-04: the type that a reference has to lead to; COUNTER_TYPE_NONE: a
 * counter of this type has no use for it. */
static enum counter_type wanted_type(
    enum counter_type type, enum reference reference)
{
    const struct counter_type_row *row = &counter_type_rows[type];

    switch (row->needs) {
    case COUNTER_NEEDS_NOTHING:
        break;
    case COUNTER_NEEDS_BASE:
        return reference == REFERENCE_BASE ? row->needed : COUNTER_TYPE_NONE;
    case COUNTER_NEEDS_TIME:
        return reference == REFERENCE_TIME || reference == REFERENCE_FREQUENCY
                   ? row->needed
                   : COUNTER_TYPE_NONE;
    case COUNTER_NEEDS_MULTI:
        return reference == REFERENCE_MULTI ? row->needed : COUNTER_TYPE_NONE;
    case COUNTER_NEEDS_MULTI_BASE:
        return reference == REFERENCE_BASE    ? row->needed
               : reference == REFERENCE_MULTI ? COUNTER_TYPE_RAWCOUNT
                                              : COUNTER_TYPE_NONE;
    }
    return COUNTER_TYPE_NONE;
}

static void check_missing(const struct references *references, size_t n,
    enum reference reference, enum counter_type wanted)
{
    const struct manifest_counter *counter = &references->set->counter[n];
    const char *word = attribute_rows[reference_attributes[reference]].word;

    if (wanted != COUNTER_TYPE_NONE &&
        (references->read[n].meant >> reference_attributes[reference] & 1) ==
            0) {
        manifest_problem_add(references->reading->problems,
            MANIFEST_PROBLEM_MISSING_REFERENCE, counter->place,
            "counter of type %s has no %s",
            counter_type_rows[counter->type].word, word);
        manifest_problem_hint(references->reading->problems,
            "add %s=\"...\", the id of a counter of type %s", word,
            counter_type_rows[wanted].word);
    }
}

static void check_target(const struct references *references,
    const struct xml_attribute *written, uint32_t id, enum counter_type wanted)
{
    const struct by_id key = {.id = id};
    const struct by_id *found = bsearch(
        &key, references->by_id, references->count, sizeof(key), compare_ids);
    struct manifest_problems *problems = references->reading->problems;
    enum counter_type type;

    if (found == NULL) {
        if (references->knows_ids) {
            manifest_problem_add(problems, MANIFEST_PROBLEM_NO_SUCH_COUNTER,
                written->place, "%s: the counterSet has no counter %s",
                written->name, written->value);
            manifest_problem_hint(
                problems, "write the id of a counter of this counterSet");
        }
        return;
    }
    type = references->set->counter[found->counter].type;
    if (wanted != COUNTER_TYPE_NONE && type != wanted &&
        references->read[found->counter].has_type) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_WRONG_TYPE,
            written->place, "%s: counter %s is of type %s, not %s",
            written->name, written->value, counter_type_rows[type].word,
            counter_type_rows[wanted].word);
        manifest_problem_hint(problems, "refer to a counter of type %s",
            counter_type_rows[wanted].word);
    }
}

static void check_reference(
    const struct references *references, size_t n, enum reference reference)
{
    const struct manifest_counter *counter = &references->set->counter[n];
    const struct read_counter *read = &references->read[n];
    const char *word = attribute_rows[reference_attributes[reference]].word;
    const struct xml_attribute *written =
        xml_tree_attribute(read->element, word);
    enum counter_type wanted = read->has_type
                                   ? wanted_type(counter->type, reference)
                                   : COUNTER_TYPE_NONE;

    if (written == NULL) {
        check_missing(references, n, reference, wanted);
        return;
    }
    if (read->has_type && wanted == COUNTER_TYPE_NONE) {
        manifest_problem_add(references->reading->problems,
            MANIFEST_PROBLEM_NEEDLESS_REFERENCE, written->name_place,
            "a counter of type %s has no use for %s",
            counter_type_rows[counter->type].word, word);
        manifest_problem_hint(references->reading->problems, "leave it out");
    }
    if (reference_of(counter, reference).given) {
        check_target(references, written,
            reference_of(counter, reference).value, wanted);
    }
}

void references_check(struct reading *reading, const struct manifest_set *set,
    const struct read_counter *read)
{
    struct references references = {
        .reading = reading,
        .set = set,
        .read = read,
        .by_id =
            talloc_array(NULL, struct by_id, (unsigned)set->counter_count + 1),
        .knows_ids = true,
    };

    assert(references.by_id != NULL);
    for (size_t i = 0; i < set->counter_count; i++) {
        references.knows_ids &= read[i].has_id;
        if (read[i].has_id) {
            references.by_id[references.count++] =
                (struct by_id){set->counter[i].id, i};
        }
    }
    qsort(references.by_id, references.count, sizeof(references.by_id[0]),
        compare);
    for (size_t i = 0; i < set->counter_count; i++) {
        for (unsigned k = 0; k < REFERENCES; k++) {
            check_reference(&references, i, (enum reference)k);
        }
    }
    talloc_free(references.by_id);
}
