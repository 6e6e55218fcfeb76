/* counter_total.c - what a consumer makes of all instances of a counter set
 * whose manifest says how: their sum, average, least or greatest. */
#include "scenarios/runner/commands/counters/counter_total.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/text/figure_text.h"

/* A number that may be a count of 64 bits, which a double has not. */
static struct counter_figure read_figure(const char *text)
{
    struct counter_figure figure = {.is_count = strpbrk(text, ".-") == NULL};

    if (figure.is_count) {
        figure.count = strtoull(text, NULL, 10);
    } else {
        figure.number = strtod(text, NULL);
    }
    return figure;
}

static double number_of(const struct counter_figure *figure)
{
    return figure->is_count ? (double)figure->count : figure->number;
}

static bool is_below(
    const struct counter_figure *one, const struct counter_figure *other)
{
    return one->is_count && other->is_count ? one->count < other->count
                                            : number_of(one) < number_of(other);
}

/* A sum beyond 64 bits goes on as a double. */
static struct counter_figure add(
    const struct counter_figure *one, const struct counter_figure *other)
{
    struct counter_figure sum = {
        .is_count = one->is_count && other->is_count &&
                    one->count <= UINT64_MAX - other->count,
        .number = number_of(one) + number_of(other)};

    sum.count = sum.is_count ? one->count + other->count : 0;
    return sum;
}

static struct counter_figure put_together(enum manifest_aggregate aggregate,
    const struct counter_figure *one, const struct counter_figure *other)
{
    switch (aggregate) {
    case MANIFEST_MIN:
        return is_below(other, one) ? *other : *one;
    case MANIFEST_MAX:
        return is_below(one, other) ? *other : *one;
    case MANIFEST_SUM:
    case MANIFEST_AVG:
        return add(one, other);
    case MANIFEST_AGGREGATE_UNDEFINED:
        break;
    }
    assert(false);
    return *one;
}

/* Of `count` that were added. */
static struct counter_figure finish(enum manifest_aggregate aggregate,
    const struct counter_figure *all, size_t count)
{
    if (aggregate != MANIFEST_AVG) {
        return *all;
    }
    if (all->is_count && all->count % count == 0) {
        return (struct counter_figure){
            .is_count = true, .count = all->count / count};
    }
    return (struct counter_figure){.number = number_of(all) / (double)count};
}

bool counter_total_is_made(const struct manifest_set *set)
{
    return set != NULL && (set->instances == MANIFEST_GLOBAL_AGGREGATE ||
                              set->instances == MANIFEST_MULTIPLE_AGGREGATE);
}

bool counter_total_is_all(const struct manifest_set *set)
{
    return set != NULL && set->instances == MANIFEST_GLOBAL_AGGREGATE;
}

/* Of values as they are; a sum goes round as counters do. */
static uint64_t value_of(enum manifest_aggregate aggregate,
    const struct counter_line *const *line, size_t count)
{
    uint64_t sum = 0, least = UINT64_MAX, greatest = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t value = line[i]->value;

        sum += value;
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
    }
    return aggregate == MANIFEST_MIN   ? least
           : aggregate == MANIFEST_MAX ? greatest
           : aggregate == MANIFEST_AVG ? sum / count
                                       : sum;
}

/* NULL where one of them has none. */
static const char *figure_of(void *context, enum manifest_aggregate aggregate,
    const struct counter_line *const *line, size_t count)
{
    struct counter_figure all = {.is_count = true};

    for (size_t i = 0; i < count; i++) {
        struct counter_figure one;

        if (line[i]->figure == NULL) {
            return NULL;
        }
        one = read_figure(line[i]->figure);
        all = i == 0 ? one : put_together(aggregate, &all, &one);
    }
    all = finish(aggregate, &all, count);
    return counter_figure_text(context, &all);
}

void counter_total_make(void *context, struct counter_line *total,
    const struct counter_line *const *line, size_t count)
{
    enum manifest_aggregate aggregate = total->counter->aggregate;

    assert(count > 0 && aggregate != MANIFEST_AGGREGATE_UNDEFINED);
    total->value = value_of(aggregate, line, count);
    total->figure = figure_of(context, aggregate, line, count);
}
