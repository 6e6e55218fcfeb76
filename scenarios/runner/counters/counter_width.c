/* counter_width.c - sizes of values. */
#include "scenarios/runner/counters/counter_width.h"

#include <talloc.h>

#include "api/ctrpp/manifest.h"

/* 0: nothing says. */
static unsigned width_in_manifest(
    const struct manifest_set *set, uint32_t counter)
{
    const struct manifest_counter *described =
        set == NULL ? NULL : manifest_counter_by_id(set, counter);

    return described == NULL ? 0 : counter_type_rows[described->type].bytes;
}

bool counter_width_agrees(
    const struct manifest_set *set, const struct row_value *value)
{
    unsigned width = width_in_manifest(set, value->counter);

    return width == 0 || width == value->size;
}

char *counter_width_text(void *context, const struct manifest_set *set,
    const struct row_value *value)
{
    return talloc_asprintf(context,
        "registered with %u byte%s, its type in the manifest has %u",
        (unsigned)value->size, value->size == 1 ? "" : "s",
        width_in_manifest(set, value->counter));
}
