/* rows.c - a query's memory is its own, so rows are copied. */
#include "scenarios/runner/run/rows.h"

#include <assert.h>
#include <inttypes.h>
#include <talloc.h>

#include "scenarios/runner/counters/counter_names.h"
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
        row->value[i] = (struct row_value){
            .counter = from->value[i].counter,
            .size = from->value[i].bytes,
            .value = from->value[i].value,
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

const struct row_value *row_find(const struct row *row, uint32_t counter)
{
    for (size_t i = 0; i < row->value_count; i++) {
        if (row->value[i].counter == counter) {
            return &row->value[i];
        }
    }
    return NULL;
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
