/* chart_marks.c - overflows and broken rules drawn across a panel. */
#include "scenarios/runner/commands/counters/chart_marks.h"

#include <inttypes.h>

#include "api/core/rules.h"
#include "scenarios/runner/commands/counters/chart_line.h"
#include "scenarios/runner/text/markup_text.h"

enum { ROWS_SHOWN = 1000 };

static double ms_of(
    const struct counter_chart *chart, const struct sample_mark *mark)
{
    return chart_ms(counter_time_ns(mark->cycles, chart->mhz));
}

static int place_of(const struct counter_chart *chart,
    const struct chart_scale *times, const struct sample_mark *mark)
{
    return (int)chart_scale_at(times, ms_of(chart, mark), CHART_WIDTH);
}

static void print_one(const struct sample_mark *mark, FILE *out)
{
    if (mark->is_rule) {
        fprintf(out, "broken rule %s", rule_rows[mark->what].id);
    } else {
        fprintf(out, "overflow of counter %" PRIu32, mark->what);
    }
    fprintf(out, " on cpu %" PRIu32, mark->processor);
}

/* Those of one kind and place; `count` of them. */
static void print_line(const struct counter_chart *chart, int place,
    const struct sample_mark *first, const struct sample_mark *last,
    size_t count, FILE *out)
{
    fprintf(out,
        "<line class=\"mark %s\" x1=\"%d\" x2=\"%d\" y2=\"%d\"><title>",
        first->is_rule ? "rule" : "overflow", place, place, CHART_HEIGHT);
    if (count == 1) {
        print_one(first, out);
        fprintf(out, " at %.6f ms", ms_of(chart, first));
    } else {
        fprintf(out, "%zu %s from %.6f to %.6f ms", count,
            first->is_rule ? "broken rules" : "overflows", ms_of(chart, first),
            ms_of(chart, last));
    }
    fputs("</title></line>\n", out);
}

static void print_kind(const struct counter_chart *chart, bool rules,
    const struct chart_scale *times, FILE *out)
{
    const struct sample_mark *first = NULL, *last = NULL;
    size_t count = 0;
    int place = 0;

    for (size_t i = 0; i < chart->mark_count; i++) {
        const struct sample_mark *mark = &chart->mark[i];

        if (mark->is_rule != rules) {
            continue;
        }
        if (first != NULL && place_of(chart, times, mark) != place) {
            print_line(chart, place, first, last, count, out);
            first = NULL;
        }
        if (first == NULL) {
            first = mark;
            place = place_of(chart, times, mark);
            count = 0;
        }
        last = mark;
        count++;
    }
    if (first != NULL) {
        print_line(chart, place, first, last, count, out);
    }
}

void chart_marks_print(const struct counter_chart *chart,
    const struct chart_scale *times, FILE *out)
{
    fputs("<g id=\"marks\">\n", out);
    print_kind(chart, false, times, out);
    print_kind(chart, true, times, out);
    fputs("</g>", out);
}

static size_t count_of(const struct counter_chart *chart, bool rules)
{
    size_t count = 0;

    for (size_t i = 0; i < chart->mark_count; i++) {
        count += chart->mark[i].is_rule == rules;
    }
    return count;
}

static void print_row(const struct counter_chart *chart,
    const struct sample_mark *mark, FILE *out)
{
    fprintf(out,
        "<tr><td class=\"number\">%.6f</td><td class=\"number\">%" PRIu32
        "</td><td>%s</td><td>",
        ms_of(chart, mark), mark->processor, rule_rows[mark->what].id);
    markup_text_print(rule_rows[mark->what].text, out);
    fputs("</td></tr>\n", out);
}

static void print_rules(const struct counter_chart *chart, FILE *out)
{
    size_t shown = 0;

    fputs("<h2>Broken rules</h2>\n<table>\n<tr><th class=\"number\">ms</th>"
          "<th class=\"number\">cpu</th><th>rule</th><th></th></tr>\n",
        out);
    for (size_t i = 0; i < chart->mark_count && shown < ROWS_SHOWN; i++) {
        if (chart->mark[i].is_rule) {
            print_row(chart, &chart->mark[i], out);
            shown++;
        }
    }
    fputs("</table>\n", out);
    if (count_of(chart, true) > shown) {
        fprintf(out, "<p>and %zu more</p>\n", count_of(chart, true) - shown);
    }
}

void chart_marks_print_table(const struct counter_chart *chart, FILE *out)
{
    size_t overflows = count_of(chart, false);

    if (overflows > 0) {
        fprintf(out, "<p>Overflows: %zu</p>\n", overflows);
    }
    if (count_of(chart, true) > 0) {
        print_rules(chart, out);
    }
}
