/* counter_live.c - what ntpmu counters --live shows: a line for each counter of
 * each instance, with its last figure and the way of it so far. */
#include "scenarios/runner/commands/counters/counter_live.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/text_columns.h"
#include "scenarios/runner/text/visible_text.h"

enum { COLUMNS = 7, HEIGHTS = 8 };

/* What is shown of a series: `from` is the first sample that has a mark. */
struct view {
    const struct counter_series *series;
    size_t from, samples;
    const struct counter_line *least, *greatest, *last; /* NULL: no figure */
};

static double number_of(const struct counter_line *line)
{
    return strtod(line->figure, NULL);
}

static struct view view_of(const struct counter_series *series, size_t samples)
{
    struct view view = {.series = series,
        .from = samples > COUNTER_SPARKS ? samples - COUNTER_SPARKS : 0,
        .samples = samples};

    for (size_t i = 0; i < series->count; i++) {
        const struct counter_line *line = series->line[i];

        if (line->figure == NULL || line->sample < view.from) {
            continue;
        }
        if (view.last == NULL || number_of(line) < number_of(view.least)) {
            view.least = line;
        }
        if (view.last == NULL || number_of(line) > number_of(view.greatest)) {
            view.greatest = line;
        }
        view.last = line;
    }
    return view;
}

/* One that never changes is in the middle. */
static const char *spark(const struct view *view, double number)
{
    static const char *const marks[HEIGHTS] = {"\u2581", "\u2582", "\u2583",
        "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
    double least = number_of(view->least);
    double all = number_of(view->greatest) - least;
    size_t height = all > 0
                        ? (size_t)((number - least) / all * (HEIGHTS - 1) + 0.5)
                        : HEIGHTS / 2 - 1;

    assert(height < HEIGHTS);
    return marks[height];
}

static char *sparks_of(void *context, const struct view *view)
{
    char *text = talloc_strdup(context, "");
    size_t next = view->from;

    for (size_t i = 0; i < view->series->count && view->last != NULL; i++) {
        const struct counter_line *line = view->series->line[i];

        if (line->figure == NULL || line->sample < view->from) {
            continue;
        }
        text = talloc_asprintf_append_buffer(text, "%*s%s",
            (int)(line->sample - next), "", spark(view, number_of(line)));
        next = line->sample + 1;
    }
    assert(text != NULL);
    return text;
}

char *counter_live_sparks(
    void *context, const struct counter_series *series, size_t samples)
{
    const struct view view = view_of(series, samples);

    return sparks_of(context, &view);
}

struct cells {
    const char *text[COLUMNS];
};

static const char *figure_of(void *context, const struct counter_line *line)
{
    return line == NULL ? "" : counter_line_figure(context, line);
}

static struct cells cells_of(
    void *context, const struct counter_series *series, size_t samples)
{
    const struct counter_line *line = series->line[series->count - 1];
    const struct view view = view_of(series, samples);

    return (struct cells){{
        visible_text(context, line->set),
        visible_text(context, line->instance),
        visible_text(context, counter_line_name(context, line)),
        figure_of(context, view.last),
        figure_of(context, view.least),
        figure_of(context, view.greatest),
        sparks_of(context, &view),
    }};
}

void counter_live_print(const struct counter_lines *lines, FILE *out)
{
    struct text_column column[COLUMNS] = {{"counter set", false, 0},
        {"instance", false, 0}, {"counter", false, 0}, {"last", true, 0},
        {"least", true, 0}, {"greatest", true, 0}, {"", false, 0}};
    void *context = talloc_new(NULL);
    const struct counter_series_list *list =
        counter_series_make(context, lines);
    size_t samples =
        lines->count > 0 ? lines->item[lines->count - 1].sample + 1 : 0;

    text_columns_widen_heads(column, COLUMNS);
    for (size_t i = 0; i < list->count; i++) {
        text_columns_widen(
            column, COLUMNS, cells_of(context, &list->item[i], samples).text);
    }
    text_columns_print_heads(column, COLUMNS, out);
    for (size_t i = 0; i < list->count; i++) {
        text_columns_print(column, COLUMNS,
            cells_of(context, &list->item[i], samples).text, out);
    }
    talloc_free(context);
}
