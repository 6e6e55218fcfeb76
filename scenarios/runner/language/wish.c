/* wish.c - sorted by place, so that those for one place stand together. */
#include "scenarios/runner/language/wish.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

enum { WISHES_SHOWN = 4 }; /* of those that contradict each other */

void wishes_add(void *context, struct wishes *wishes, const struct wish *wish)
{
    if (wishes->count == wishes->capacity) {
        wishes->capacity = wishes->capacity == 0 ? 256 : 2 * wishes->capacity;
        wishes->item = talloc_realloc(
            context, wishes->item, struct wish, (unsigned)wishes->capacity);
        assert(wishes->item != NULL);
    }
    wishes->item[wishes->count++] = *wish;
}

static int compare_places(const struct wish *one, const struct wish *other)
{
    int order = strcmp(one->source->path, other->source->path);

    if (order == 0 && one->place.offset != other->place.offset) {
        order = one->place.offset < other->place.offset ? -1 : 1;
    }
    return order;
}

static int compare_wishes(const void *left, const void *right)
{
    const struct wish *one = left, *other = right;
    int order = compare_places(one, other);

    if (order == 0 && one->result != other->result) {
        order = one->result < other->result ? -1 : 1;
    }
    return order;
}

void wishes_sort(struct wishes *wishes)
{
    if (wishes->count > 0) {
        qsort(
            wishes->item, wishes->count, sizeof(*wishes->item), compare_wishes);
    }
}

struct wish_group wishes_group(const struct wishes *wishes, size_t first)
{
    struct wish_group group = {&wishes->item[first], 0};

    while (
        first + group.count < wishes->count &&
        compare_places(group.first, &wishes->item[first + group.count]) == 0) {
        group.count++;
    }
    return group;
}

const struct wish *wishes_unmet(const struct wish_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        if (group->first[i].differs && !group->first[i].expected) {
            return &group->first[i];
        }
    }
    return NULL;
}

/* One value would be right wherever the instance compares it. */
static bool is_one(const struct wish *wish)
{
    return wish->differs && !wish->met && !wish->several &&
           wish->actual != NULL && wish->place.problem == NULL;
}

/* Whether it can live with what the one wants. */
static bool suits(const struct wish *wish, const struct wish *other)
{
    bool same;

    if (!is_one(other) || other->place.length != wish->place.length) {
        return other->expected && !other->met && !other->several;
    }
    same = strcmp(other->actual, wish->actual) == 0;
    return other->expected ? !same : same;
}

bool wishes_agree(const struct wish_group *group, const struct wish *wish)
{
    bool agree = is_one(wish);

    for (size_t i = 0; i < group->count && agree; i++) {
        agree = suits(wish, &group->first[i]);
    }
    return agree;
}

/* What the instance wants, child of `context`. */
static char *wanted(void *context, const struct wish *wish)
{
    if (wish->several || (wish->met && wish->differs)) {
        return talloc_strdup(context, "several values");
    }
    if (wish->expected && wish->differs) {
        return talloc_asprintf(context, "anything but %s",
            wish->actual != NULL ? wish->actual : "what was there");
    }
    if (!wish->differs) {
        return talloc_strndup(context, wish->source->text + wish->place.offset,
            wish->place.length);
    }
    return talloc_strdup(
        context, wish->actual != NULL ? wish->actual : "another value");
}

void wishes_print_conflict(const struct wish_group *group, FILE *out)
{
    char **seen = talloc_zero_array(NULL, char *, WISHES_SHOWN);
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
        if (count == WISHES_SHOWN) {
            fputs(", ...", out);
            break;
        }
        fprintf(out, "%s%s in %s", count == 0 ? "" : ", ", text,
            group->first[i].id);
        seen[count++] = text;
    }
    talloc_free(seen);
}
