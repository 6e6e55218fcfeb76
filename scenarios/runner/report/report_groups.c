/* report_groups.c - the failures of a run as people are shown them: those that
 * are the same in several instances of a scenario once, then a table of the
 * requirements that failed. */
#include "scenarios/runner/report/report_groups.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <talloc.h>

#include "api/text/fnv.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/text/visible_text.h"

enum {
    GROUP_BUCKETS = 1024,
    GROUP_INSTANCES = 20, /* that are named; reports have all of them */
};

struct place {
    const char *path;
    struct mark mark;
};

/* Failures that are the same. */
struct group {
    struct place place;
    const struct outline *outline;
    const char *id; /* the first's */
    const char *step, *message;
    const char *failed_calls; /* NULL: none */
    enum result result;
    const char *also[GROUP_INSTANCES]; /* ids, without the first's */
    size_t others;                     /* instances besides the first */
    struct group *next;                /* of its bucket */
    struct group *later;               /* in order of the first failures */
};

struct failed {
    const char *requirement;
    size_t instances;
    struct place first;
    struct failed *later;
};

struct report_groups {
    struct group *bucket[GROUP_BUCKETS];
    struct group *first, **last;
    struct failed *failed, **last_failed;
    size_t instances; /* that failed by what they cite */
};

struct report_groups *report_groups_new(void *context)
{
    struct report_groups *groups = talloc_zero(context, struct report_groups);

    assert(groups != NULL);
    groups->last = &groups->first;
    groups->last_failed = &groups->failed;
    return groups;
}

static struct place place_of(const struct failure *failure)
{
    return (struct place){failure->place->source->path, failure->place->mark};
}

static bool is_same_text(const char *one, const char *other)
{
    return one == NULL || other == NULL ? one == other
                                        : strcmp(one, other) == 0;
}

static bool is_same(const struct group *group, const struct outline *outline,
    const struct verdict *verdict, const struct failure *failure)
{
    const struct place place = place_of(failure);

    return group->outline == outline && group->result == verdict->result &&
           group->place.mark.line == place.mark.line &&
           group->place.mark.column == place.mark.column &&
           strcmp(group->place.path, place.path) == 0 &&
           strcmp(group->step, failure->step) == 0 &&
           strcmp(group->message, failure->message) == 0 &&
           is_same_text(group->failed_calls, failure->failed_calls);
}

static struct group **bucket_of(
    struct report_groups *groups, const struct failure *failure)
{
    return &groups->bucket[fnv1a(failure->message) % GROUP_BUCKETS];
}

bool report_groups_add(struct report_groups *groups,
    const struct instance *instance, const struct verdict *verdict, size_t n)
{
    const struct failure *failure = &verdict->failure[n];
    struct group **bucket = bucket_of(groups, failure);
    struct group *group = *bucket;

    while (
        group != NULL && !is_same(group, instance->outline, verdict, failure)) {
        group = group->next;
    }
    if (group != NULL) {
        if (group->others < GROUP_INSTANCES) {
            group->also[group->others] = talloc_strdup(group, instance->id);
        }
        group->others++;
        return false;
    }
    group = talloc_zero(groups, struct group);
    assert(group != NULL);
    group->place = place_of(failure);
    group->outline = instance->outline;
    group->id = talloc_strdup(group, instance->id);
    group->step = talloc_strdup(group, failure->step);
    group->message = talloc_strdup(group, failure->message);
    group->failed_calls = talloc_strdup(group, failure->failed_calls);
    group->result = verdict->result;
    group->next = *bucket;
    *bucket = group;
    *groups->last = group;
    groups->last = &group->later;
    return true;
}

/* Where the first failure is that cites the requirement. */
static struct place place_of_cited(
    const struct verdict *verdict, const char *requirement)
{
    for (size_t i = 0; i < verdict->failure_count; i++) {
        const struct failure *failure = &verdict->failure[i];

        for (size_t k = 0; k < CHECK_COVERS && failure->covers[k] != NULL;
             k++) {
            if (strcmp(failure->covers[k], requirement) == 0) {
                return place_of(failure);
            }
        }
    }
    return place_of(&verdict->failure[0]); /* those beyond were trimmed */
}

static void cite(struct report_groups *groups, const struct verdict *verdict,
    const char *requirement)
{
    struct failed *failed = groups->failed;

    while (failed != NULL && strcmp(failed->requirement, requirement) != 0) {
        failed = failed->later;
    }
    if (failed == NULL) {
        failed = talloc_zero(groups, struct failed);
        assert(failed != NULL);
        failed->requirement = talloc_strdup(failed, requirement);
        failed->first = place_of_cited(verdict, requirement);
        *groups->last_failed = failed;
        groups->last_failed = &failed->later;
    }
    failed->instances++;
}

void report_groups_cite(
    struct report_groups *groups, const struct verdict *verdict)
{
    bool any = false;

    for (size_t i = 0; verdict->failure_count > 0 && i < verdict->cited_count;
         i++) {
        if (verdict->cited[i].failed) {
            cite(groups, verdict, verdict->cited[i].requirement);
            any = true;
        }
    }
    groups->instances += any;
}

static void print_group(const struct group *group, FILE *out)
{
    fprintf(out, "%s:%zu:%zu: the same as in %s%s%s in %zu more instance%s: ",
        visible_name(group->place.path), group->place.mark.line,
        group->place.mark.column, group->id,
        group->step[0] == '\0' ? "" : " step ", group->step, group->others,
        group->others == 1 ? "" : "s");
    for (size_t i = 0; i < group->others && i < GROUP_INSTANCES; i++) {
        fprintf(out, "%s%s", i == 0 ? "" : ", ", group->also[i]);
    }
    fprintf(out, "%s\n",
        group->others > GROUP_INSTANCES ? ", ...; reports of run have all"
                                        : "");
}

void report_groups_print(const struct report_groups *groups, FILE *out)
{
    for (const struct group *group = groups->first; group != NULL;
         group = group->later) {
        if (group->others > 0) {
            print_group(group, out);
        }
    }
    if (groups->instances < 2) {
        return;
    }
    fputs("requirements that failed:\n", out);
    for (const struct failed *failed = groups->failed; failed != NULL;
         failed = failed->later) {
        fprintf(out, "  %-16s %4zu instance%s first %s:%zu:%zu\n",
            failed->requirement, failed->instances,
            failed->instances == 1 ? ", " : "s,",
            visible_name(failed->first.path), failed->first.mark.line,
            failed->first.mark.column);
    }
}
