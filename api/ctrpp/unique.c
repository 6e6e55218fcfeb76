/* unique.c - the check that ids, symbols and names of a manifest are there
 * once. They are collected, then sorted: what is there twice is side by side.
 */
#include "api/ctrpp/unique.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"

enum { KEY_SHOWN = 80 };

struct unique_value {
    enum unique_kind kind;
    size_t scope, order;
    const char *key, *text;
    struct manifest_place place;
};

struct unique {
    struct unique_value *value;
    size_t count;
};

static const struct {
    const char *elements, *what, *hint;
} rows[UNIQUE_COUNT] = {
#define UNIQUE(name, elements, what, hint)                                     \
    [UNIQUE_##name] = {elements, what, hint},
#include "api/ctrpp/unique.def"
};

struct unique *unique_new(void *context)
{
    struct unique *unique = talloc_zero(context, struct unique);

    assert(unique != NULL);
    return unique;
}

void unique_add(struct unique *unique, enum unique_kind kind, size_t scope,
    const char *key, const char *text, struct manifest_place place)
{
    if (unique->count == talloc_array_length(unique->value)) {
        unique->value = talloc_realloc(unique, unique->value,
            struct unique_value, (unsigned)unique->count * 2 + 64);
        assert(unique->value != NULL);
    }
    unique->value[unique->count] =
        (struct unique_value){kind, scope, unique->count, key, text, place};
    unique->count++;
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare_keys(
    const struct unique_value *a, const struct unique_value *b)
{
    int order = compare_numbers(a->kind, b->kind);

    if (order == 0) {
        order = compare_numbers(a->scope, b->scope);
    }
    return order == 0 ? strcmp(a->key, b->key) : order;
}

static int compare(const void *left, const void *right)
{
    const struct unique_value *a = left, *b = right;
    int order = compare_keys(a, b);

    return order == 0 ? compare_numbers(a->order, b->order) : order;
}

static bool stand_for_the_same(
    const struct unique_value *a, const struct unique_value *b)
{
    return a->text != NULL && b->text != NULL && strcmp(a->text, b->text) == 0;
}

static void refuse(const struct unique_value *value,
    const struct unique_value *first, struct manifest_problems *problems)
{
    size_t shown = utf8_cut(value->key, strlen(value->key), KEY_SHOWN);

    manifest_problem_add(problems, MANIFEST_PROBLEM_DUPLICATE, value->place,
        "two %s have the same %s: '%.*s%s', also at %u:%u",
        rows[value->kind].elements, rows[value->kind].what, (int)shown,
        value->key, value->key[shown] == '\0' ? "" : "...",
        (unsigned)first->place.line, (unsigned)first->place.column);
    manifest_problem_hint(problems, "%s", rows[value->kind].hint);
}

void unique_check(struct unique *unique, struct manifest_problems *problems)
{
    const struct unique_value *first = NULL;

    if (unique->count == 0) {
        return;
    }
    qsort(unique->value, unique->count, sizeof(unique->value[0]), compare);
    for (size_t i = 0; i < unique->count; i++) {
        const struct unique_value *value = &unique->value[i];

        if (first == NULL || compare_keys(first, value) != 0) {
            first = value;
        } else if (!stand_for_the_same(first, value)) {
            refuse(value, first, problems);
        }
    }
}
