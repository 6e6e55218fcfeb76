/* samples.c - what a consumer saw of the counter sets while a scenario ran:
 * lists of samples, sets and rows that grow. */
#include "scenarios/runner/run/samples.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

/* What a sample, a set, an instance and a value take. */
enum { SAMPLE_BYTES = 8, SET_BYTES = 24, ROW_BYTES = 12, VALUE_BYTES = 16 };

struct samples *samples_new(void *context)
{
    struct samples *samples = talloc_zero(context, struct samples);

    assert(samples != NULL);
    return samples;
}

size_t samples_add_name(struct samples *samples, const char *name)
{
    samples->appeared = talloc_realloc(samples, samples->appeared, const char *,
        (unsigned)samples->appeared_count + 1);
    assert(samples->appeared != NULL);
    samples->appeared[samples->appeared_count] = talloc_strdup(samples, name);
    return samples->appeared_count++;
}

/* Room for twice as many where a power of 2 is full. */
static bool is_full(size_t count)
{
    return (count & (count - 1)) == 0;
}

void samples_add_sample(struct samples *samples)
{
    if (is_full(samples->count)) {
        samples->item = talloc_realloc(samples, samples->item, struct sample,
            2 * (unsigned)samples->count + 1);
        assert(samples->item != NULL);
    }
    samples->item[samples->count++] = (struct sample){.set = NULL};
    samples->bytes += SAMPLE_BYTES;
}

static size_t bytes_of(const struct rows *rows)
{
    size_t bytes = SET_BYTES;

    for (size_t i = 0; i < rows->count; i++) {
        bytes += ROW_BYTES + rows->item[i].wide.length * sizeof(uint16_t) +
                 rows->item[i].value_count * VALUE_BYTES;
    }
    return bytes;
}

void samples_add_set(
    struct samples *samples, size_t appeared, struct rows *rows)
{
    struct sample *sample = &samples->item[samples->count - 1];

    assert(samples->count > 0 && appeared < samples->appeared_count);
    sample->set = talloc_realloc(samples, sample->set, struct sampled_set,
        (unsigned)sample->set_count + 1);
    assert(sample->set != NULL);
    sample->set[sample->set_count++] = (struct sampled_set){appeared, rows};
    samples->bytes += bytes_of(rows);
}

void samples_add_note(struct samples *samples, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = talloc_vasprintf(samples, format, arguments);
    va_end(arguments);
    assert(text != NULL);
    for (size_t i = 0; i < samples->note_count; i++) {
        if (strcmp(samples->note[i].text, text) == 0) {
            talloc_free(text);
            samples->note[i].times++;
            return;
        }
    }
    samples->note = talloc_realloc(samples, samples->note, struct sample_note,
        (unsigned)samples->note_count + 1);
    assert(samples->note != NULL);
    samples->note[samples->note_count++] = (struct sample_note){text, 1};
}

void samples_add_mark(struct samples *samples, const struct sample_mark *mark)
{
    if (samples->mark_count == SAMPLES_MARKS) {
        samples_add_note(samples,
            "more than %d overflows and broken rules: those behind are not in "
            "the chart",
            SAMPLES_MARKS);
        return;
    }
    if (is_full(samples->mark_count)) {
        samples->mark = talloc_realloc(samples, samples->mark,
            struct sample_mark, 2 * (unsigned)samples->mark_count + 1);
        assert(samples->mark != NULL);
    }
    samples->mark[samples->mark_count++] = *mark;
}

static bool shows_something(const struct sample *sample)
{
    for (size_t i = 0; i < sample->set_count; i++) {
        if (sample->set[i].rows->count > 0) {
            return true;
        }
    }
    return false;
}

void samples_end_sample(struct samples *samples)
{
    struct sample *sample;

    if (samples->count == 0) {
        return;
    }
    sample = &samples->item[samples->count - 1];
    if (shows_something(sample)) {
        return;
    }
    for (size_t i = 0; i < sample->set_count; i++) {
        samples->bytes -= bytes_of(sample->set[i].rows);
        talloc_free(sample->set[i].rows);
    }
    talloc_free(sample->set);
    samples->bytes -= SAMPLE_BYTES;
    samples->count--;
}
