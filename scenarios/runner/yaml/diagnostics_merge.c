/* diagnostics_merge.c - what several instances of a scenario have in common is
 * one error. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/yaml/diagnostics.h"

static bool is_same(const struct diagnostic *a, const struct diagnostic *b)
{
    return a->code == b->code && a->source == b->source &&
           a->mark.line == b->mark.line && a->mark.column == b->mark.column &&
           strcmp(a->path, b->path) == 0 && strcmp(a->message, b->message) == 0;
}

static bool has(
    const struct diagnostics *diagnostics, const struct diagnostic *wanted)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        if (is_same(&diagnostics->item[i], wanted)) {
            return true;
        }
    }
    return false;
}

static const char *keep(void *context, const char *text)
{
    return text == NULL ? NULL : talloc_strdup(context, text);
}

void diagnostics_merge(struct diagnostics *into, struct diagnostics *from)
{
    bool known = false;

    for (size_t i = 0; i < from->count; i++) {
        const struct diagnostic *one = &from->item[i];

        /* Notes go with the error before them. */
        if (one->code != DIAGNOSTIC_NOTE) {
            known = has(into, one);
        }
        if (known) {
            continue;
        }
        into->item = talloc_realloc(
            into, into->item, struct diagnostic, (unsigned)into->count + 1);
        assert(into->item != NULL);
        into->item[into->count] = *one;
        into->item[into->count].path = keep(into, one->path);
        into->item[into->count].message = keep(into, one->message);
        into->item[into->count].hint = keep(into, one->hint);
        into->count++;
    }
}
