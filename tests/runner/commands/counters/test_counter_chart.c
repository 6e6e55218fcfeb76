/* test_counter_chart.c - what a chart has in it: panels, lines, gaps, marks and
 * texts that markup would take for its own. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/commands/counters/counter_chart.h"

#include <string.h>

#include "api/core/rules.h"
#include "tests/rows.h"
#include "tests/runner/commands/counters/sampled_lines.h"

enum { MHZ = 1000 }; /* 1,000 cycles are a microsecond */

/* A chart as text, of these lines and marks. */
struct drawn {
    void *context;
    struct samples *samples;
    char *text;
};

static void draw(struct drawn *drawn, struct counter_line *line, size_t count,
    const struct sample_mark *mark, size_t marks, bool page)
{
    const struct counter_lines lines = {.item = line, .count = count};
    struct counter_chart *chart;
    char *bytes;
    size_t length;
    FILE *out = open_memstream(&bytes, &length);

    drawn->context = talloc_new(NULL);
    drawn->samples = samples_new(drawn->context);
    for (size_t i = 0; i < marks; i++) {
        samples_add_mark(drawn->samples, &mark[i]);
    }
    chart = counter_chart_make(
        drawn->context, &lines, drawn->samples, MHZ, "a <b> & \"c\"");
    if (page) {
        counter_chart_print_page(chart, out);
    } else {
        counter_chart_print(chart, true, out);
    }
    fclose(out);
    drawn->text = talloc_strdup(drawn->context, bytes);
    free(bytes);
}

static void drawn_release(struct drawn *drawn)
{
    talloc_free(drawn->context);
}

static size_t count_of(const struct drawn *drawn, const char *what)
{
    size_t count = 0;

    for (const char *at = drawn->text; (at = strstr(at, what)) != NULL; at++) {
        count++;
    }
    return count;
}

#define assert_has(drawn, what) assert_non_null(strstr((drawn)->text, what))

static void panel_for_each_counter_and_line_for_each_instance(void **state)
{
    struct counter_line line[] = {
        sampled_line(0, "sea", 0, "5"),
        sampled_line(0, "lake", 0, "2"),
        sampled_line(0, "sea", 1, "7"),
        sampled_line(1, "sea", 0, "10"),
    };
    struct drawn drawn;

    (void)state;
    draw(&drawn, line, 4, NULL, 0, false);
    assert_int_equal(count_of(&drawn, "class=\"panel\""), 2);
    assert_int_equal(count_of(&drawn, "class=\"series "), 3);
    /* 0 to 1 ms is 660 wide, 0 to 10 is 180 high. */
    assert_has(&drawn, "<path d=\"M330.0,90.0L660.0,0.0\"/>");
    assert_has(&drawn, ">Waves: Height</text>");
    assert_has(&drawn, ">Waves: 1</text>");
    assert_has(&drawn, "<title>1.000000 ms: 10</title>");
    assert_int_equal(count_of(&drawn, "class=\"mark "), 0);
    drawn_release(&drawn);
}

static void names_are_no_markup(void **state)
{
    struct counter_line line[] = {sampled_line(0, "<a> & 'b'\n", 0, "5")};
    struct drawn drawn;

    (void)state;
    draw(&drawn, line, 1, NULL, 0, false);
    assert_has(&drawn, "data-instance=\"&lt;a&gt; &amp; &#39;b&#39;\\n\"");
    assert_has(&drawn, ">a &lt;b&gt; &amp; &quot;c&quot;</text>");
    assert_int_equal(count_of(&drawn, "<a>"), 0);
    drawn_release(&drawn);
}

static struct gap_row {
    const char *name;
    size_t last; /* sample of the last line */
    const char *middle;
    const char *want;
} gap_rows[] = {
    {"line_goes_on", 2, "0", "<path d=\"M220.0,0.0L440.0,180.0L660.0,0.0\"/>"},
    {"no_figure_is_a_gap", 2, NULL, "<path d=\"M220.0,0.0M660.0,0.0\"/>"},
    {"no_line_is_a_gap", 3, "0",
        "<path d=\"M165.0,0.0L330.0,180.0M660.0,0.0\"/>"},
};

static void gap_row(void **state)
{
    const struct gap_row *row = *state;
    struct counter_line line[] = {
        sampled_line(0, "sea", 0, "10"),
        sampled_line(1, "sea", 0, row->middle),
        sampled_line(row->last, "sea", 0, "10"),
    };
    struct drawn drawn;

    line[0].time_ns = 1000000;
    line[1].time_ns = 2000000;
    line[2].time_ns = (row->last + 1) * 1000000;
    draw(&drawn, line, 3, NULL, 0, false);
    assert_has(&drawn, row->want);
    drawn_release(&drawn);
}

/* However many there are, a place has the first, the least, the greatest and
 * the last of them; and no points. */
static void many_are_drawn_as_few(void **state)
{
    enum { LINES = 20000 };
    struct counter_line *line = calloc(LINES, sizeof(*line));
    struct drawn drawn;
    size_t points;

    (void)state;
    assert_non_null(line);
    for (size_t i = 0; i < LINES; i++) {
        line[i] = sampled_line(i, "sea", 0, i % 2 == 0 ? "0" : "10");
        line[i].time_ns = (i + 1) * 50000;
    }
    draw(&drawn, line, LINES, NULL, 0, false);
    points = count_of(&drawn, "0,180.0") + count_of(&drawn, "0,0.0");
    assert_true(points < 4 * 661);
    assert_int_equal(count_of(&drawn, "<circle"), 0);
    drawn_release(&drawn);
    free(line);
}

static void marks_say_what_happened(void **state)
{
    static const struct sample_mark mark[] = {
        {.cycles = 500000,
            .processor = 1,
            .is_rule = true,
            .what = RULE_DPC_BUDGET},
        {.cycles = 250000, .processor = 3, .what = 32},
        {.cycles = 750000, .processor = 0, .what = 0},
        {.cycles = 750100, .processor = 2, .what = 0},
    };
    struct counter_line line[] = {sampled_line(1, "sea", 0, "5")};
    struct drawn drawn;

    (void)state;
    draw(&drawn, line, 1, mark, 4, false);
    assert_int_equal(count_of(&drawn, "class=\"mark "), 3);
    assert_has(&drawn, "x1=\"165\" x2=\"165\" y2=\"180\"><title>overflow of "
                       "counter 32 on cpu 3 at 0.250000 ms</title>");
    assert_has(&drawn, "<line class=\"mark rule\" x1=\"330\" x2=\"330\" "
                       "y2=\"180\"><title>broken rule dpc.budget on cpu 1 at "
                       "0.500000 ms</title>");
    assert_has(&drawn, "<title>2 overflows from 0.750000 to 0.750100 ms"
                       "</title>");
    drawn_release(&drawn);
}

/* Time goes on to the last of them. */
static void mark_behind_the_last_sample_is_shown(void **state)
{
    static const struct sample_mark mark[] = {
        {.cycles = 4000000, .processor = 0, .what = 1}};
    struct counter_line line[] = {sampled_line(1, "sea", 0, "5")};
    struct drawn drawn;

    (void)state;
    draw(&drawn, line, 1, mark, 1, false);
    assert_has(&drawn, "x1=\"660\" x2=\"660\"");
    assert_has(&drawn, "data-end=\"4\"");
    drawn_release(&drawn);
}

static void page_has_all_in_it(void **state)
{
    static const struct sample_mark mark[] = {
        {.cycles = 500000,
            .processor = 1,
            .is_rule = true,
            .what = RULE_DPC_BUDGET},
        {.cycles = 600000, .processor = 1, .what = 0},
    };
    struct counter_line line[] = {sampled_line(1, "sea", 0, "5")};
    struct drawn drawn;

    (void)state;
    draw(&drawn, line, 1, mark, 2, true);
    assert_memory_equal(drawn.text, "<!DOCTYPE html>\n", 16);
    assert_has(&drawn, "<title>a &lt;b&gt; &amp; &quot;c&quot;</title>");
    assert_has(&drawn, "<p>Overflows: 1</p>");
    assert_has(&drawn, "<td class=\"number\">0.500000</td><td class=\"number\">"
                       "1</td><td>dpc.budget</td>");
    assert_has(&drawn, ".chart .c7 {");
    assert_has(&drawn, "\"use strict\";");
    assert_int_equal(count_of(&drawn, "<style>"), 1);
    assert_int_equal(count_of(&drawn, "http"), 1); /* the name of SVG alone */
    drawn_release(&drawn);
}

/* By processor, and then by what it is; an overflow comes before a rule. */
static void marks_of_one_time_are_in_order(void **state)
{
    static const struct sample_mark mark[] = {
        {.cycles = 7000,
            .processor = 1,
            .is_rule = true,
            .what = RULE_LEAK_TIMER_RESOLUTION},
        {.cycles = 7000, .processor = 1, .what = 3},
        {.cycles = 7000,
            .processor = 2,
            .is_rule = true,
            .what = RULE_DPC_BUDGET},
        {.cycles = 7000,
            .processor = 1,
            .is_rule = true,
            .what = RULE_DPC_BUDGET},
        {.cycles = 7000, .processor = 1, .what = 2},
        {.cycles = 6000,
            .processor = 9,
            .is_rule = true,
            .what = RULE_LEAK_TIMER_RESOLUTION},
    };
    static const char *const want[] = {
        "0.006000</td><td class=\"number\">9</td><td>leak.timer_resolution<",
        "0.007000</td><td class=\"number\">1</td><td>dpc.budget<",
        "0.007000</td><td class=\"number\">1</td><td>leak.timer_resolution<",
        "0.007000</td><td class=\"number\">2</td><td>dpc.budget<"};
    struct counter_line line[] = {sampled_line(1, "sea", 0, "5")};
    struct drawn drawn;
    const char *at;

    (void)state;
    draw(&drawn, line, 1, mark, 6, true);
    at = drawn.text;
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        at = strstr(at, want[i]);
        assert_non_null(at);
    }
    drawn_release(&drawn);
}

/* The axis goes below zero; the only instance has the set's name. */
static void figures_below_zero_of_a_single_instance(void **state)
{
    struct counter_line line[] = {
        sampled_line(0, "", 0, "-10"),
        sampled_line(1, "", 0, "10"),
    };
    struct drawn drawn;

    (void)state;
    draw(&drawn, line, 2, NULL, 0, false);
    assert_has(&drawn, "data-low=\"-10\" data-high=\"10\"");
    assert_has(&drawn, "data-instance=\"Waves\"");
    assert_has(&drawn, "<path d=\"M330.0,180.0L660.0,0.0\"/>");
    drawn_release(&drawn);
}

/* Axes have figures times the power, and the drawing stays as it is. */
static struct scale_row {
    const char *name;
    int scale;
    const char *figure, *title, *tick;
} scale_rows[] = {
    {"scale_of_a_thousandth", -3, "5000", ">Waves: Height (scale 0.001)</text>",
        ">5</text>"},
    {"scale_of_a_hundred", 2, "5", ">Waves: Height (scale 100)</text>",
        ">500</text>"},
    {"least_scale", -10, "50000000000",
        ">Waves: Height (scale 0.0000000001)</text>", ">5</text>"},
    {"no_scale", 0, "5000", ">Waves: Height</text>", ">5000</text>"},
};

static void scale_row(void **state)
{
    const struct scale_row *row = *state;
    struct manifest_counter counter = {
        .type = COUNTER_TYPE_RAWCOUNT, .default_scale = row->scale};
    struct counter_line line[] = {sampled_line(1, "sea", 0, row->figure)};
    struct drawn drawn;

    line[0].counter = &counter;
    draw(&drawn, line, 1, NULL, 0, false);
    assert_has(&drawn, row->title);
    assert_has(&drawn, row->tick);
    assert_non_null(strstr(strstr(drawn.text, "data-high=\""), row->figure));
    drawn_release(&drawn);
}

static void legend_has_an_end(void **state)
{
    enum { LINES = 14 };
    static const char *const name[LINES] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"};
    struct counter_line line[LINES];
    struct drawn drawn;

    (void)state;
    for (size_t i = 0; i < LINES; i++) {
        line[i] = sampled_line(0, name[i], 0, "5");
    }
    draw(&drawn, line, LINES, NULL, 0, false);
    assert_int_equal(count_of(&drawn, "class=\"entry\""), 11);
    assert_int_equal(count_of(&drawn, "class=\"series "), LINES);
    assert_has(&drawn, ">and 3 more</text>");
    drawn_release(&drawn);
}

TEST_FILE(test_counter_chart)
{
    test_add(list, "panel_for_each_counter_and_line_for_each_instance",
        panel_for_each_counter_and_line_for_each_instance, NULL);
    test_add(list, "names_are_no_markup", names_are_no_markup, NULL);
    TEST_ADD_ROWS(list, gap_row, gap_rows);
    test_add(list, "many_are_drawn_as_few", many_are_drawn_as_few, NULL);
    test_add(list, "marks_say_what_happened", marks_say_what_happened, NULL);
    test_add(list, "mark_behind_the_last_sample_is_shown",
        mark_behind_the_last_sample_is_shown, NULL);
    test_add(list, "page_has_all_in_it", page_has_all_in_it, NULL);
    test_add(list, "marks_of_one_time_are_in_order",
        marks_of_one_time_are_in_order, NULL);
    test_add(list, "figures_below_zero_of_a_single_instance",
        figures_below_zero_of_a_single_instance, NULL);
    TEST_ADD_ROWS(list, scale_row, scale_rows);
    test_add(list, "legend_has_an_end", legend_has_an_end, NULL);
}
