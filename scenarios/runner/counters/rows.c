/* rows.c - the rows of a collection: instances with their raw values, copied
 * because a query's memory is its own, and the figures made of them. */
#include "scenarios/runner/counters/rows.h"

#include <assert.h>
#include <inttypes.h>
#include <talloc.h>

#include "api/pcw/counter_format.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/text/figure_text.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/text/wide_text.h"

static void copy_row(
    struct rows *rows, const struct pcw_row *from, struct row *row)
{
    *row = (struct row){
        .wide = wide_text_copy(rows, from->name),
        .name = wide_text_utf8(rows, from->name),
        .id = from->id,
        .value = talloc_zero_array(
            rows, struct row_value, (unsigned)from->value_count + 1),
        .value_count = from->value_count,
    };
    assert(row->value != NULL);
    for (size_t i = 0; i < from->value_count; i++) {
        struct pcw_value value = pcw_row_value(from, i);

        row->value[i] = (struct row_value){
            .counter = value.counter,
            .size = value.bytes,
            .value = value.value,
        };
    }
}

struct rows *rows_copy(void *context, const struct manifest_set *set,
    const struct pcw_result *result)
{
    struct rows *rows = talloc_zero(context, struct rows);

    assert(rows != NULL);
    *rows = (struct rows){
        .set = set,
        .item = talloc_zero_array(
            rows, struct row, (unsigned)result->row_count + 1),
        .count = result->row_count,
        .cancelled = result->cancelled,
        .cycles = result->cycles,
    };
    assert(rows->item != NULL);
    for (size_t i = 0; i < rows->count; i++) {
        copy_row(rows, &result->row[i], &rows->item[i]);
    }
    return rows;
}

static void exchange_row(
    void *context, struct facts *facts, const struct row *from, struct row *row)
{
    static const struct row_value none = {.counter = 0};

    row->name = facts_utf8(facts, from->name);
    row->id = (uint32_t)facts_number(facts, from->id);
    row->value_count = facts_count(facts, from->value_count);
    row->value = talloc_zero_array(
        context, struct row_value, (unsigned)row->value_count + 1);
    assert(row->value != NULL);
    for (size_t i = 0; i < row->value_count; i++) {
        const struct row_value *value =
            facts_heard(facts) ? &none : &from->value[i];

        row->value[i] = (struct row_value){
            .counter = (uint32_t)facts_number(facts, value->counter),
            .size = (uint16_t)facts_number(facts, value->size),
            .value = facts_number(facts, value->value),
            .shown = facts_text_or_none(facts, value->shown),
        };
    }
}

const struct rows *rows_exchange(void *context, struct facts *facts,
    const struct named_manifests *manifests, const struct rows *rows)
{
    static const struct rows no_rows = {.set = NULL};
    static const struct row no_row = {.name = ""};
    struct rows *copy;

    if (facts == NULL) {
        return rows;
    }
    rows = rows == NULL ? &no_rows : rows;
    copy = talloc_zero(context, struct rows);
    assert(copy != NULL);
    if (facts_flag(facts, rows->set != NULL)) {
        copy->set = counter_names_set(manifests,
            facts_utf8(
                facts, rows->set == NULL ? "" : counter_names_call(rows->set)));
    }
    copy->cancelled = facts_flag(facts, rows->cancelled);
    copy->count = facts_count(facts, rows->count);
    copy->item = talloc_zero_array(copy, struct row, (unsigned)copy->count + 1);
    assert(copy->item != NULL);
    for (size_t i = 0; i < copy->count; i++) {
        exchange_row(copy, facts, facts_heard(facts) ? &no_row : &rows->item[i],
            &copy->item[i]);
    }
    return copy;
}

const struct row_value *row_find(const struct row *row, uint32_t counter)
{
    for (size_t i = 0; i < row->value_count; i++) {
        if (row->value[i].counter == counter) {
            return &row->value[i];
        }
    }
    return NULL;
}

/* 0: nothing says. */
static unsigned width_in_manifest(
    const struct manifest_set *set, uint32_t counter)
{
    const struct manifest_counter *described =
        set == NULL ? NULL : manifest_counter_by_id(set, counter);

    return described == NULL ? 0 : counter_type_rows[described->type].bytes;
}

bool row_value_agrees(
    const struct manifest_set *set, const struct row_value *value)
{
    unsigned width = width_in_manifest(set, value->counter);

    return width == 0 || width == value->size;
}

char *row_value_width_text(void *context, const struct manifest_set *set,
    const struct row_value *value)
{
    return talloc_asprintf(context,
        "registered with %u byte%s, its type in the manifest has %u",
        (unsigned)value->size, value->size == 1 ? "" : "s",
        width_in_manifest(set, value->counter));
}

static const struct manifest_number *given(const struct manifest_number *id)
{
    return id->given ? id : NULL;
}

struct counter_parts counter_parts_of(const struct manifest_counter *counter)
{
    struct counter_parts parts = {.base = NULL};

    switch (counter_type_rows[counter->type].needs) {
    case COUNTER_NEEDS_NOTHING:
        break;
    case COUNTER_NEEDS_BASE:
        parts.base = given(&counter->base_id);
        break;
    case COUNTER_NEEDS_TIME:
        parts.time = given(&counter->perf_time_id);
        parts.frequency = given(&counter->perf_freq_id);
        break;
    case COUNTER_NEEDS_MULTI:
        parts.multi = given(&counter->multi_counter_id);
        break;
    case COUNTER_NEEDS_MULTI_BASE:
        parts.base = given(&counter->base_id);
        parts.multi = given(&counter->multi_counter_id);
        break;
    }
    return parts;
}

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
    if (found == NULL || !row_value_agrees(set, found)) {
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
    return row_value_agrees(set, value) &&
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

char *row_text(void *context, const struct rows *rows, size_t n)
{
    const struct row *row = &rows->item[n];
    char *text = talloc_asprintf(
        context, "'%s' %" PRIu32, visible_text(context, row->name), row->id);

    for (size_t i = 0; i < row->value_count; i++) {
        const struct row_value *value = &row->value[i];
        const char *name = counter_names_of(rows->set, value->counter);

        text = talloc_strdup_append_buffer(text, i == 0 ? ": " : ", ");
        text = name != NULL ? talloc_strdup_append_buffer(text, name)
                            : talloc_asprintf_append_buffer(
                                  text, "%" PRIu32, value->counter);
        text = talloc_asprintf_append_buffer(text, " = %" PRIu64, value->value);
        if (value->shown != NULL) {
            text = talloc_asprintf_append_buffer(text, " (%s)", value->shown);
        }
    }
    return text;
}
