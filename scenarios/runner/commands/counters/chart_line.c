/* chart_line.c - a series drawn into a panel. */
#include "scenarios/runner/commands/counters/chart_line.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <talloc.h>

#include "scenarios/runner/text/markup_text.h"

#define NS_PER_MS 1e6

enum { POINTS_SHOWN = 120 }; /* more are a line alone */

/* Figures that would be drawn at one place. */
struct pile {
    const struct counter_line *first, *least, *greatest, *last;
};

struct drawing {
    const struct chart_scale *times, *figures;
    FILE *out;
    bool joined; /* to what was drawn before */
};

double chart_ms(uint64_t time_ns)
{
    return (double)time_ns / NS_PER_MS;
}

static double number_of(const struct counter_line *line)
{
    return strtod(line->figure, NULL);
}

static double x_of(
    const struct chart_scale *times, const struct counter_line *line)
{
    return chart_scale_at(times, chart_ms(line->time_ns), CHART_WIDTH);
}

static double y_of(
    const struct chart_scale *figures, const struct counter_line *line)
{
    return CHART_HEIGHT -
           chart_scale_at(figures, number_of(line), CHART_HEIGHT);
}

static void draw(struct drawing *drawing, const struct counter_line *line)
{
    fprintf(drawing->out, "%c%.1f,%.1f", drawing->joined ? 'L' : 'M',
        x_of(drawing->times, line), y_of(drawing->figures, line));
    drawing->joined = true;
}

/* In order of time: where it came from, how far it went, where it goes on. */
static void draw_pile(struct drawing *drawing, const struct pile *pile)
{
    draw(drawing, pile->first);
    if (pile->least != pile->first) {
        draw(drawing, pile->least);
    }
    if (pile->greatest != pile->first && pile->greatest != pile->least) {
        draw(drawing, pile->greatest);
    }
    if (pile->last != pile->first && pile->last != pile->least &&
        pile->last != pile->greatest) {
        draw(drawing, pile->last);
    }
}

static bool piles_up(const struct drawing *drawing, const struct pile *pile,
    const struct counter_line *line)
{
    return (int)x_of(drawing->times, pile->first) ==
           (int)x_of(drawing->times, line);
}

static void pile_up(struct pile *pile, const struct counter_line *line)
{
    pile->least = number_of(line) < number_of(pile->least) ? line : pile->least;
    pile->greatest =
        number_of(line) > number_of(pile->greatest) ? line : pile->greatest;
    pile->last = line;
}

static void print_path(
    const struct counter_series *series, struct drawing *drawing)
{
    struct pile pile = {.first = NULL};

    for (size_t i = 0; i < series->count; i++) {
        const struct counter_line *line = series->line[i];
        bool gap = line->figure == NULL ||
                   (i > 0 && line->sample != series->line[i - 1]->sample + 1);

        if (pile.first != NULL && (gap || !piles_up(drawing, &pile, line))) {
            draw_pile(drawing, &pile);
            pile.first = NULL;
        }
        drawing->joined = drawing->joined && !gap;
        if (line->figure == NULL) {
            continue;
        }
        if (pile.first == NULL) {
            pile = (struct pile){line, line, line, line};
        } else {
            pile_up(&pile, line);
        }
    }
    if (pile.first != NULL) {
        draw_pile(drawing, &pile);
    }
}

static size_t figures_of(const struct counter_series *series)
{
    size_t count = 0;

    for (size_t i = 0; i < series->count; i++) {
        count += series->line[i]->figure != NULL;
    }
    return count;
}

static void print_points(
    const struct counter_series *series, const struct drawing *drawing)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct counter_line *line = series->line[i];
        void *context = talloc_new(NULL);

        if (line->figure != NULL) {
            fprintf(drawing->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"><title>%.6f ms: ",
                x_of(drawing->times, line), y_of(drawing->figures, line),
                chart_ms(line->time_ns));
            markup_text_print(counter_line_figure(context, line), drawing->out);
            fputs("</title></circle>", drawing->out);
        }
        talloc_free(context);
    }
}

void chart_line_print(const struct counter_series *series,
    const struct chart_scale *times, const struct chart_scale *figures,
    FILE *out)
{
    struct drawing drawing = {times, figures, out, false};
    size_t count = figures_of(series);

    if (count == 0) {
        return;
    }
    fputs("<path d=\"", out);
    print_path(series, &drawing);
    fputs("\"/>", out);
    if (count <= POINTS_SHOWN) {
        print_points(series, &drawing);
    }
}
