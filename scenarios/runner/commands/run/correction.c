/* correction.c - what expected values would have to be, sorted by place:
 * whether the instances that share one agree. */
#include "scenarios/runner/commands/run/correction.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

enum { CORRECTIONS_SHOWN = 4 }; /* of those that contradict each other */

void corrections_add(void *context, struct corrections *corrections,
    const struct correction *correction)
{
    if (corrections->count == corrections->capacity) {
        corrections->capacity =
            corrections->capacity == 0 ? 256 : 2 * corrections->capacity;
        corrections->item = talloc_realloc(context, corrections->item,
            struct correction, (unsigned)corrections->capacity);
        assert(corrections->item != NULL);
    }
    corrections->item[corrections->count++] = *correction;
}

static int compare_places(
    const struct correction *one, const struct correction *other)
{
    int order = strcmp(one->source->path, other->source->path);

    if (order == 0 && one->place.offset != other->place.offset) {
        order = one->place.offset < other->place.offset ? -1 : 1;
    }
    return order;
}

static int compare_corrections(const void *left, const void *right)
{
    const struct correction *one = left, *other = right;
    int order = compare_places(one, other);

    if (order == 0 && one->result != other->result) {
        order = one->result < other->result ? -1 : 1;
    }
    return order;
}

void corrections_sort(struct corrections *corrections)
{
    if (corrections->count > 0) {
        qsort(corrections->item, corrections->count, sizeof(*corrections->item),
            compare_corrections);
    }
}

struct correction_group corrections_group(
    const struct corrections *corrections, size_t first)
{
    struct correction_group group = {&corrections->item[first], 0};

    while (first + group.count < corrections->count &&
           compare_places(
               group.first, &corrections->item[first + group.count]) == 0) {
        group.count++;
    }
    return group;
}

const struct correction *corrections_unmet(const struct correction_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        if (group->first[i].differs && !group->first[i].expected) {
            return &group->first[i];
        }
    }
    return NULL;
}

/* One value would be right wherever the instance compares it. */
static bool is_one(const struct correction *correction)
{
    return correction->differs && !correction->met && !correction->several &&
           correction->actual != NULL && correction->place.problem == NULL;
}

/* Whether it can live with what the one wants. */
static bool suits(
    const struct correction *correction, const struct correction *other)
{
    bool same;

    if (!is_one(other) || other->place.length != correction->place.length) {
        return other->expected && !other->met && !other->several;
    }
    same = strcmp(other->actual, correction->actual) == 0;
    return other->expected ? !same : same;
}

bool corrections_agree(
    const struct correction_group *group, const struct correction *correction)
{
    bool agree = is_one(correction);

    for (size_t i = 0; i < group->count && agree; i++) {
        agree = suits(correction, &group->first[i]);
    }
    return agree;
}

/* What the instance wants, child of `context`. */
static char *wanted(void *context, const struct correction *correction)
{
    if (correction->several || (correction->met && correction->differs)) {
        return talloc_strdup(context, "several values");
    }
    if (correction->expected && correction->differs) {
        return talloc_asprintf(context, "anything but %s",
            correction->actual != NULL ? correction->actual : "what was there");
    }
    if (!correction->differs) {
        return talloc_strndup(context,
            correction->source->text + correction->place.offset,
            correction->place.length);
    }
    return talloc_strdup(context,
        correction->actual != NULL ? correction->actual : "another value");
}

void corrections_print_conflict(const struct correction_group *group, FILE *out)
{
    char **seen = talloc_zero_array(NULL, char *, CORRECTIONS_SHOWN);
    size_t count = 0;

    assert(seen != NULL);
    for (size_t i = 0; i < group->count; i++) {
        char *text = wanted(seen, &group->first[i]);
        size_t k = 0;

        while (k < count && strcmp(seen[k], text) != 0) {
            k++;
        }
        if (k < count) {
            continue;
        }
        if (count == CORRECTIONS_SHOWN) {
            fputs(", ...", out);
            break;
        }
        fprintf(out, "%s%s in %s", count == 0 ? "" : ", ", text,
            group->first[i].id);
        seen[count++] = text;
    }
    talloc_free(seen);
}
