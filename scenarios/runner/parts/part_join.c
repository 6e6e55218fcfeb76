/* part_join.c - verdicts of the parts of an exploration joined: the failure
 * that comes first in the order of schedules, the sum of what was tried, and
 * what held in some schedule of any part. */
#include "scenarios/runner/parts/part_join.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/explore/schedule_text.h"
#include "scenarios/runner/explore/sometimes.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"

/* Schedules are tried with the fewest switches first, of those that branch off
 * from one the later one first, and the lower processor. */
static int order_of(const struct deviations *a, const struct deviations *b)
{
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (size_t i = 0; i < a->count; i++) {
        const struct deviation *x = &a->item[i], *y = &b->item[i];

        if (x->choice != y->choice) {
            return x->choice > y->choice ? -1 : 1;
        }
        if (x->processor != y->processor) {
            return x->processor < y->processor ? -1 : 1;
        }
    }
    return 0;
}

/* Whether the failure would have been found before the other one. */
static bool is_earlier(const struct explored *a, const struct explored *b)
{
    void *context = talloc_new(NULL);
    struct deviations of_a = {0}, of_b = {0};
    bool earlier;

    if (a->number != b->number) {
        talloc_free(context);
        return a->number < b->number;
    }
    if (a->schedule != NULL) {
        schedule_text_read(context, a->schedule, &of_a);
    }
    if (b->schedule != NULL) {
        schedule_text_read(context, b->schedule, &of_b);
    }
    earlier = order_of(&of_a, &of_b) < 0;
    talloc_free(context);
    return earlier;
}

/* The verdict whose failure comes first; that of the first part where there is
 * none. */
static struct verdict *first_of(struct verdict *const verdict[], size_t parts)
{
    struct verdict *first = NULL;

    for (size_t i = 0; i < parts; i++) {
        if (verdict_result_failed(verdict[i]->result) &&
            (first == NULL ||
                is_earlier(&verdict[i]->explored, &first->explored))) {
            first = verdict[i];
        }
    }
    return first != NULL ? first : verdict[0];
}

static void add_up(struct verdict *joined, const struct verdict *part)
{
    joined->explored.schedules +=
        part->explored.schedules - part->explored.shared;
    joined->explored.left += part->explored.left;
    for (size_t i = 0; i < joined->sometimes_count; i++) {
        joined->sometimes[i] |= part->sometimes[i];
    }
}

/* Why they cannot have tried parts of the same schedules; NULL: they may
 * have. */
static const char *contradiction(
    const struct verdict *a, const struct verdict *b)
{
    if (a->explored.shared != b->explored.shared ||
        a->explored.shared > a->explored.schedules ||
        b->explored.shared > b->explored.schedules) {
        return "they have not tried the same number of schedules in common";
    }
    if (a->sometimes_count != b->sometimes_count) {
        return "they have not asked the same of all schedules";
    }
    return NULL;
}

struct verdict *part_join(void *context, const struct instance *instance,
    struct verdict *const verdict[], size_t parts)
{
    struct verdict *joined = first_of(verdict, parts);

    for (size_t i = 0; i < parts; i++) {
        const char *problem = contradiction(verdict[0], verdict[i]);

        if (problem != NULL) {
            return verdict_failed(context, instance, RESULT_INTERNAL,
                "parts of its schedules contradict each other: %s", problem);
        }
    }
    for (size_t i = 0; i < parts; i++) {
        if (verdict[i] != joined) {
            add_up(joined, verdict[i]);
        }
    }
    joined->explored.joined = parts > 1;
    if (verdict_result_failed(joined->result)) {
        joined->explored.left = 0;
    } else if (joined->explored.schedules > 0 && joined->sometimes_count > 0) {
        struct instance opened = instance_open(joined, instance);

        joined->scenario = opened.scenario;
        sometimes_judge(opened.scenario, joined);
    }
    return joined;
}
