/* counter_chart.c - what was sampled as a chart, in SVG: a panel for each
 * counter, in it a line for each instance, and across it what happened. */
#include "scenarios/runner/commands/counters/counter_chart.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/counters/chart_line.h"
#include "scenarios/runner/commands/counters/chart_marks.h"
#include "scenarios/runner/commands/counters/page_texts.h"
#include "scenarios/runner/text/key_index.h"
#include "scenarios/runner/text/markup_text.h"
#include "scenarios/runner/text/visible_text.h"

enum {
    TOP = 40,     /* above the first panel */
    GAP = 52,     /* between two, for the title and times */
    LEGEND = 11,  /* names that have room beside a panel */
    COLOURS = 8,  /* page/chart.css has them */
    TITLE_UP = 8, /* above its panel */
    LINE = 15,    /* from one name to the next */
};

/* The series of one counter. */
struct panel {
    const struct counter_series **series;
    size_t count;
    struct chart_scale scale;
};

struct panels {
    struct panel *item;
    size_t count;
    struct chart_scale times; /* in milliseconds, from 0 */
};

static int compare_marks(const void *left, const void *right)
{
    const struct sample_mark *a = left, *b = right;

    return a->cycles != b->cycles ? (a->cycles > b->cycles ? 1 : -1)
           : a->processor != b->processor
               ? (a->processor > b->processor ? 1 : -1)
           : a->is_rule != b->is_rule
               ? (a->is_rule ? 1 : -1)
               : (a->what > b->what) - (a->what < b->what);
}

struct counter_chart *counter_chart_make(void *context,
    const struct counter_lines *lines, const struct samples *samples,
    uint64_t mhz, const char *heading)
{
    struct counter_chart *chart = talloc_zero(context, struct counter_chart);
    struct sample_mark *mark;

    assert(chart != NULL);
    mark = talloc_array(
        chart, struct sample_mark, (unsigned)samples->mark_count + 1);
    assert(mark != NULL);
    if (samples->mark_count > 0) {
        memcpy(mark, samples->mark, samples->mark_count * sizeof(*mark));
    }
    qsort(mark, samples->mark_count, sizeof(*mark), compare_marks);
    *chart = (struct counter_chart){.heading = heading,
        .series = counter_series_make(chart, lines),
        .mark = mark,
        .mark_count = samples->mark_count,
        .mhz = mhz};
    return chart;
}

static void add_to_panel(
    struct panels *panels, size_t at, const struct counter_series *series)
{
    struct panel *panel = &panels->item[at];

    if ((panel->count & (panel->count - 1)) == 0) {
        panel->series = talloc_realloc(panels, panel->series,
            const struct counter_series *, 2 * (unsigned)panel->count + 1);
        assert(panel->series != NULL);
    }
    panel->series[panel->count++] = series;
}

/* By the counter set's name and the counter's id. */
static void gather(
    struct panels *panels, const struct counter_series_list *list)
{
    struct key_index *index = key_index_new(panels);

    panels->item =
        talloc_zero_array(panels, struct panel, (unsigned)list->count + 1);
    assert(panels->item != NULL);
    for (size_t i = 0; i < list->count; i++) {
        const struct counter_line *line = list->item[i].line[0];
        char *key = talloc_asprintf(
            panels, "%" PRIu32 " %s", line->counter_id, line->set);
        size_t at = panels->count;

        assert(key != NULL);
        if (!key_index_find(index, key, strlen(key), &at)) {
            key_index_add(index, key, strlen(key), at);
            panels->count++;
        }
        add_to_panel(panels, at, &list->item[i]);
        talloc_free(key);
    }
    talloc_free(index);
}

static struct chart_scale scale_of(const struct panel *panel)
{
    double low = 0, high = 0;

    for (size_t i = 0; i < panel->count; i++) {
        for (size_t k = 0; k < panel->series[i]->count; k++) {
            const struct counter_line *line = panel->series[i]->line[k];
            double number =
                line->figure == NULL ? 0 : strtod(line->figure, NULL);

            if (line->figure != NULL) {
                low = number < low ? number : low;
                high = number > high ? number : high;
            }
        }
    }
    return chart_scale_of(low, high);
}

static struct panels *panels_of(
    void *context, const struct counter_chart *chart)
{
    struct panels *panels = talloc_zero(context, struct panels);
    const struct counter_series_list *list = chart->series;
    uint64_t last = 0;

    assert(panels != NULL);
    gather(panels, list);
    for (size_t i = 0; i < panels->count; i++) {
        panels->item[i].scale = scale_of(&panels->item[i]);
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct counter_series *series = &list->item[i];
        uint64_t time = series->line[series->count - 1]->time_ns;

        last = time > last ? time : last;
    }
    if (chart->mark_count > 0) {
        uint64_t time = counter_time_ns(
            chart->mark[chart->mark_count - 1].cycles, chart->mhz);

        last = time > last ? time : last;
    }
    panels->times = chart_scale_of(0, chart_ms(last));
    return panels;
}

static void print_text(void *context, const char *text, FILE *out)
{
    markup_text_print(visible_text(context, text), out);
}

/* The power of ten that the manifest has this counter drawn with; 1 where it
 * says none, or there is none. */
static double default_scale(const struct panel *panel)
{
    const struct manifest_counter *counter = panel->series[0]->line[0]->counter;
    int power = counter == NULL ? 0 : counter->default_scale;
    double ten = 1;

    for (int i = 0; i < (power < 0 ? -power : power); i++) {
        ten *= 10;
    }
    return power < 0 ? 1 / ten : ten;
}

/* As Performance Monitor draws it: the axis has figures times that power. */
static void print_grid(
    const struct panel *panel, const struct chart_scale *times, FILE *out)
{
    double factor = default_scale(panel);
    const struct chart_scale drawn = {.low = panel->scale.low * factor,
        .high = panel->scale.high * factor,
        .step = panel->scale.step * factor,
        .ticks = panel->scale.ticks};
    char text[CHART_TICK_BYTES];

    for (size_t i = 0; i < panel->scale.ticks; i++) {
        double y = CHART_HEIGHT - chart_scale_at(&panel->scale,
                                      chart_scale_tick(&panel->scale, i),
                                      CHART_HEIGHT);

        chart_scale_text(&drawn, i, text);
        fprintf(out,
            "<line class=\"grid\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            "<text class=\"tick up\" x=\"-6\" y=\"%.1f\">%s</text>\n",
            CHART_WIDTH, y, y, y + 4, text);
    }
    for (size_t i = 0; i < times->ticks; i++) {
        double x =
            chart_scale_at(times, chart_scale_tick(times, i), CHART_WIDTH);

        chart_scale_text(times, i, text);
        fprintf(out,
            "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y2=\"%d\"/>"
            "<text class=\"tick along\" x=\"%.1f\" y=\"%d\">%s%s</text>\n",
            x, x, CHART_HEIGHT, x, CHART_HEIGHT + 14, text,
            i + 1 == times->ticks ? " ms" : "");
    }
}

/* Where a set has one instance the line is the counter's. */
static const char *name_of(const struct counter_series *series)
{
    const struct counter_line *line = series->line[0];

    return line->instance[0] == '\0' ? line->set : line->instance;
}

static void print_entry(
    void *context, const struct panel *panel, size_t n, FILE *out)
{
    fputs("<g class=\"entry\" data-instance=\"", out);
    print_text(context, name_of(panel->series[n]), out);
    fprintf(out,
        "\"><line class=\"c%zu\" x1=\"%d\" x2=\"%d\" y1=\"%zu\" y2=\"%zu\" "
        "stroke-width=\"3\"/><text x=\"%d\" y=\"%zu\">",
        n % COLOURS, CHART_WIDTH + 14, CHART_WIDTH + 30, n * LINE + 8,
        n * LINE + 8, CHART_WIDTH + 36, n * LINE + 12);
    print_text(context, name_of(panel->series[n]), out);
    fputs("</text></g>\n", out);
}

static void print_scale(const struct panel *panel, FILE *out)
{
    const struct manifest_counter *counter = panel->series[0]->line[0]->counter;

    if (counter != NULL && counter->default_scale != 0) {
        fprintf(out, " (scale %.*f)",
            counter->default_scale < 0 ? -counter->default_scale : 0,
            default_scale(panel));
    }
}

static void print_panel(void *context, const struct panels *panels,
    const struct panel *panel, int y, FILE *out)
{
    const struct counter_line *line = panel->series[0]->line[0];
    const char *unit = counter_line_unit(line);

    fprintf(out,
        "<g class=\"panel\" transform=\"translate(%d,%d)\" data-width=\"%d\" "
        "data-height=\"%d\" data-end=\"%.9g\" data-low=\"%.9g\" "
        "data-high=\"%.9g\" data-unit=\"%s\">\n"
        "<rect class=\"frame\" width=\"%d\" height=\"%d\"/>"
        "<text class=\"title\" y=\"-%d\">",
        CHART_LEFT, y, CHART_WIDTH, CHART_HEIGHT, panels->times.high,
        panel->scale.low, panel->scale.high, unit, CHART_WIDTH, CHART_HEIGHT,
        TITLE_UP);
    print_text(context, line->set, out);
    fputs(": ", out);
    print_text(context, counter_line_name(context, line), out);
    fprintf(out, "%s%s", unit[0] == '\0' ? "" : ", ", unit);
    print_scale(panel, out);
    fputs("</text>\n", out);
    print_grid(panel, &panels->times, out);
    fputs("<use class=\"marks\" href=\"#marks\"/>\n", out);
    for (size_t i = 0; i < panel->count; i++) {
        fprintf(out, "<g class=\"series c%zu\" data-instance=\"", i % COLOURS);
        print_text(context, name_of(panel->series[i]), out);
        fputs("\">", out);
        chart_line_print(panel->series[i], &panels->times, &panel->scale, out);
        fputs("</g>\n", out);
    }
    for (size_t i = 0; i < panel->count && i < LEGEND; i++) {
        print_entry(context, panel, i, out);
    }
    if (panel->count > LEGEND) {
        fprintf(out,
            "<text class=\"more\" x=\"%d\" y=\"%d\">and %zu more</text>\n",
            CHART_WIDTH + 14, LEGEND * LINE + 12, panel->count - LEGEND);
    }
    fputs("</g>\n", out);
}

void counter_chart_print(
    const struct counter_chart *chart, bool alone, FILE *out)
{
    void *context = talloc_new(NULL);
    const struct panels *panels = panels_of(context, chart);
    size_t height = TOP + panels->count * (CHART_HEIGHT + GAP) + GAP / 2;

    fprintf(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" "
        "width=\"%d\" height=\"%zu\" viewBox=\"0 0 %d %zu\" role=\"img\">\n",
        CHART_PAGE, height, CHART_PAGE, height);
    if (alone) {
        fprintf(out, "<style>\n%s</style>\n", chart_css);
        fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
    }
    fputs("<text class=\"heading\" x=\"8\" y=\"22\">", out);
    print_text(context, chart->heading, out);
    fputs("</text>\n<defs>", out);
    chart_marks_print(chart, &panels->times, out);
    fputs("</defs>\n", out);
    for (size_t i = 0; i < panels->count; i++) {
        print_panel(context, panels, &panels->item[i],
            (int)(TOP + GAP / 2 + i * (CHART_HEIGHT + GAP)), out);
    }
    fputs("</svg>\n", out);
    talloc_free(context);
}
