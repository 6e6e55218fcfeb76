/* row_figures.c - samples out of rows, by the ids that the manifest gives a
 * counter. */
#include "api/pcw/counter_format.h"
#include "scenarios/runner/counters/counter_parts.h"
#include "scenarios/runner/counters/counter_width.h"
#include "scenarios/runner/run/rows.h"
#include "scenarios/runner/text/figure_text.h"

/* The value of another counter of the row, where one is meant (NULL: none is).
 * Returns false when the row does not have it, or not of its type's width. */
static bool take(const struct manifest_set *set, const struct row *row,
    const struct manifest_number *id, uint64_t *value)
{
    const struct row_value *found;

    if (id == NULL) {
        return true;
    }
    found = row_find(row, id->value);
    if (found == NULL || !counter_width_agrees(set, found)) {
        return false;
    }
    *value = found->value;
    return true;
}

static bool make_sample(uint64_t mhz, const struct rows *rows,
    const struct row *row, const struct manifest_counter *counter,
    const struct row_value *value, struct counter_sample *sample)
{
    const struct manifest_set *set = rows->set;
    const struct counter_parts parts = counter_parts_of(counter);

    *sample = (struct counter_sample){.value = value->value};
    counter_clock_read(mhz, rows->cycles, sample);
    return counter_width_agrees(set, value) &&
           take(set, row, parts.base, &sample->base) &&
           take(set, row, parts.multi, &sample->multi) &&
           take(set, row, parts.time, &sample->object_time) &&
           take(set, row, parts.frequency, &sample->object_freq);
}

/* Without a counter that it needs, or a sample that is due, there is none. */
static const char *figure_text(void *context,
    const struct manifest_counter *counter, const struct counter_sample *first,
    const struct counter_sample *second)
{
    struct counter_figure figure;

    return counter_format(counter->type, first, second, &figure) ==
                   COUNTER_FIGURE
               ? counter_figure_text(context, &figure)
               : NULL;
}

static bool is_same(const struct row *one, const struct row *other)
{
    return one->id == other->id && pcw_text_equal(one->wide, other->wide);
}

/* The same instance before; of several that look alike the one in the same
 * place among them (PCW-CON-03). */
static const struct row *find_before(
    const struct rows *rows, size_t n, const struct rows *before)
{
    size_t place = 0;

    for (size_t i = 0; i < n; i++) {
        place += is_same(&rows->item[i], &rows->item[n]);
    }
    for (size_t i = 0; before != NULL && i < before->count; i++) {
        if (is_same(&before->item[i], &rows->item[n]) && place-- == 0) {
            return &before->item[i];
        }
    }
    return NULL;
}

/* The same value before: of descriptors with one id (PCW-REG-13 [C]) the one in
 * the same place among them. */
static const struct row_value *find_old(
    const struct row *old, const struct row *row, const struct row_value *value)
{
    size_t place = 0;

    for (const struct row_value *at = row->value; at != value; at++) {
        place += at->counter == value->counter;
    }
    for (size_t i = 0; old != NULL && i < old->value_count; i++) {
        if (old->value[i].counter == value->counter && place-- == 0) {
            return &old->value[i];
        }
    }
    return NULL;
}

static void make_figure(uint64_t mhz, struct rows *rows, const struct row *row,
    const struct rows *before, const struct row *old, struct row_value *value)
{
    const struct manifest_counter *counter =
        manifest_counter_by_id(rows->set, value->counter);
    const struct row_value *old_value;
    struct counter_sample first, second;

    if (counter == NULL ||
        !make_sample(mhz, rows, row, counter, value, &second)) {
        return;
    }
    old_value = find_old(old, row, value);
    value->shown = figure_text(rows, counter,
        old_value != NULL &&
                make_sample(mhz, before, old, counter, old_value, &first)
            ? &first
            : NULL,
        &second);
}

void rows_make_figures(
    uint64_t mhz, struct rows *rows, const struct rows *before)
{
    for (size_t n = 0; rows->set != NULL && n < rows->count; n++) {
        struct row *row = &rows->item[n];
        const struct row *old = find_before(rows, n, before);

        for (size_t i = 0; i < row->value_count; i++) {
            make_figure(mhz, rows, row, before, old, &row->value[i]);
        }
    }
}
