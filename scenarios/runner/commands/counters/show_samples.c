/* show_samples.c - what ntpmu counters prints of a run: lines on standard
 * output, what is missing and other notes on standard error. */
#include "scenarios/runner/commands/counters/show_samples.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/text/suggest.h"
#include "scenarios/runner/commands/counters/counter_chart.h"
#include "scenarios/runner/commands/counters/counter_lines.h"
#include "scenarios/runner/commands/counters/counter_live.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/output/whole_file.h"
#include "scenarios/runner/report/report_totals.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/visible_text.h"

enum { SETS_NAMED = 20 };

bool show_describe(struct show *show, const struct scenario *scenario)
{
    const struct option_list *asked = &show->options->counterset;
    const char **name;
    size_t count = 0;

    if (!counter_manifests_add(
            &show->manifests, show->context, scenario, stderr)) {
        return false;
    }
    name = talloc_array(show->context, const char *,
        (unsigned)(asked->count * (show->manifests.count + 1) + 1));
    assert(name != NULL);
    for (size_t i = 0; i < asked->count; i++) {
        count += counter_manifests_names(
            &show->manifests, asked->item[i], &name[count]);
    }
    show->sampling.set = name;
    show->sampling.set_count = count;
    show->sampling.single_count = counter_manifests_single(
        &show->manifests, show->context, &show->sampling.single);
    show->masked = rulings_have(&scenario->rulings, RULED_PCW_TYPE_06b_never);
    return true;
}

/* Each set that was asked for has to have been there. */
static bool check_sets(const struct show *show, const struct samples *samples)
{
    const struct option_list *asked = &show->options->counterset;
    bool all = true;

    for (size_t i = 0; i < asked->count; i++) {
        struct suggestion suggestion = suggest_for(asked->item[i]);
        bool there = false;

        for (size_t k = 0; k < samples->appeared_count; k++) {
            suggest_offer(&suggestion, samples->appeared[k]);
            there |= counter_manifests_means(
                &show->manifests, asked->item[i], samples->appeared[k]);
        }
        if (there) {
            continue;
        }
        all = false;
        fprintf(stderr, "ntpmu: no counter set '%s' appeared\n",
            visible_text(show->context, asked->item[i]));
        if (suggestion.nearest != NULL) {
            fprintf(stderr, "       did you mean '%s'?\n",
                visible_text(show->context, suggestion.nearest));
        } else if (suggestion.count <= SUGGEST_LISTED) {
            for (size_t k = 0; k < suggestion.count; k++) {
                fprintf(stderr, "%s'%s'", k == 0 ? "       there was " : ", ",
                    visible_text(show->context, suggestion.offered[k]));
            }
            fputc('\n', stderr);
        }
    }
    return all;
}

/* Whether each mask has meant some instance. */
static bool all_met(const struct show *show, const struct counter_lines *lines)
{
    bool met = true;

    for (size_t i = 0; i < show->options->instance.count && met; i++) {
        met = lines->met[i];
    }
    return met;
}

/* The instances that appeared, by their own names. */
static void offer_instances(
    struct suggestion *suggestion, const struct samples *samples)
{
    for (size_t i = 0; i < samples->count; i++) {
        for (size_t k = 0; k < samples->item[i].set_count; k++) {
            const struct rows *rows = samples->item[i].set[k].rows;

            for (size_t n = 0; n < rows->count; n++) {
                suggest_offer(suggestion, rows->item[n].name);
            }
        }
    }
}

/* Each mask has to have meant some instance, where there were any. */
static bool check_instances(const struct show *show,
    const struct samples *samples, const struct counter_lines *lines)
{
    const struct option_list *asked = &show->options->instance;

    for (size_t i = 0; i < asked->count; i++) {
        struct suggestion suggestion = suggest_for(asked->item[i]);

        if (lines->met[i]) {
            continue;
        }
        offer_instances(&suggestion, samples);
        fprintf(stderr, "ntpmu: no instance '%s' appeared\n",
            visible_text(show->context, asked->item[i]));
        if (suggestion.nearest != NULL) {
            fprintf(stderr, "       did you mean '%s'?\n",
                visible_text(show->context, suggestion.nearest));
        } else if (suggestion.count > 0) {
            fprintf(stderr, "       there was '%s'%s\n",
                visible_text(show->context, suggestion.offered[0]),
                suggestion.count > 1 ? ", and more" : "");
        }
    }
    return all_met(show, lines);
}

static bool is_wanted(const struct show *show, const char *name)
{
    bool wanted = show->sampling.set_count == 0;

    for (size_t i = 0; i < show->sampling.set_count && !wanted; i++) {
        wanted = counter_names_equal(show->sampling.set[i], name);
    }
    return wanted;
}

/* Of sets that were asked for and never came check_sets() tells. */
static void say_why_nothing(
    const struct show *show, const struct samples *samples, const char *what)
{
    const char *before = "ntpmu: no counter set had an instance with counters:";

    if (samples->appeared_count == 0) {
        fprintf(stderr,
            "ntpmu: no counter set appeared while '%s' ran\n"
            "       a driver publishes one with PcwRegister; those of a "
            "silo are not seen\n",
            visible_name(what));
        return;
    }
    for (size_t i = 0; i < samples->appeared_count; i++) {
        if (is_wanted(show, samples->appeared[i])) {
            fprintf(stderr, "%s '%s'", before,
                visible_text(show->context, samples->appeared[i]));
            before = ",";
        }
    }
    fputs(before[0] == ',' ? "\n" : "", stderr);
}

static bool has_counters(const struct rows *rows)
{
    bool has = false;

    for (size_t i = 0; i < rows->count && !has; i++) {
        has = rows->item[i].value_count > 0;
    }
    return has;
}

/* Whether some sample shows counters of that one. */
static bool was_seen(const struct samples *samples, size_t appeared)
{
    bool seen = false;

    for (size_t i = 0; i < samples->count && !seen; i++) {
        const struct sample *sample = &samples->item[i];

        for (size_t k = 0; k < sample->set_count && !seen; k++) {
            seen = sample->set[k].appeared == appeared &&
                   has_counters(sample->set[k].rows);
        }
    }
    return seen;
}

/* Of sets that came, and never had anything to show, where others had. */
static void note_empty(const struct show *show, const struct samples *samples)
{
    const char *before =
        "ntpmu: note: counter sets that never had an instance with counters: ";
    size_t empty = 0;

    for (size_t i = 0; i < samples->appeared_count; i++) {
        if (!is_wanted(show, samples->appeared[i]) || was_seen(samples, i)) {
            continue;
        }
        if (empty++ < SETS_NAMED) {
            fprintf(stderr, "%s'%s'", before,
                visible_text(show->context, samples->appeared[i]));
            before = ", ";
        }
    }
    if (empty > SETS_NAMED) {
        fprintf(stderr, ", ... %zu in all", empty);
    }
    fputs(empty > 0 ? "\n" : "", stderr);
}

/* What went wrong while it was sampled, then what is wrong with counters. */
static void print_notes(const struct show *show, const struct samples *samples,
    const struct counter_lines *lines)
{
    const char *text;

    for (size_t i = 0; i < samples->note_count; i++) {
        const struct sample_note *note = &samples->note[i];

        fprintf(
            stderr, "ntpmu: note: %s", visible_text(show->context, note->text));
        if (note->times > 1) {
            fprintf(stderr, " (%" PRIu32 " times)", note->times);
        }
        fputc('\n', stderr);
    }
    for (size_t i = 0;
         (text = counter_notes_text(show->context, lines->notes, i)) != NULL;
         i++) {
        fprintf(stderr, "ntpmu: note: %s\n", visible_text(show->context, text));
    }
    if (lines->hidden > 0 || lines->count > 0) {
        note_empty(show, samples);
    }
}

/* Of no lines a table is nothing at all; programs read the other formats. */
static bool print_lines(
    const struct show *show, const struct counter_lines *lines)
{
    static void (*const prints[])(const struct counter_lines *, FILE *) = {
        [FORMAT_TEXT] = counter_lines_print_table,
        [FORMAT_CSV] = counter_lines_print_csv,
        [FORMAT_JSON] = counter_lines_print_json,
        [FORMAT_TYPEPERF] = counter_lines_print_typeperf,
    };

    if (lines->count == 0 && show->options->format == FORMAT_TEXT) {
        return true;
    }
    if (show->options->live) {
        counter_live_print(lines, stdout);
    } else {
        prints[show->options->format](lines, stdout);
    }
    return fflush(stdout) == 0; /* before the notes; who ends us says why */
}

/* Of several the first of 2 4 3 5 1 counts, then what says that nothing ran. */
static enum exit_code worse(enum exit_code one, enum exit_code other)
{
    static const enum exit_code order[] = {EXIT_USAGE, EXIT_INTERNAL,
        EXIT_INVALID, EXIT_NOTHING, EXIT_FAILED, EXIT_SKIPPED};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        if (one == order[i] || other == order[i]) {
            return order[i];
        }
    }
    return EXIT_OK;
}

/* A consumer would read other bytes than the driver has published. */
static enum exit_code judge_widths(
    const struct show *show, const struct counter_lines *lines)
{
    if (!lines->widths || show->options->allow_widths) {
        return EXIT_OK;
    }
    fprintf(stderr,
        "ntpmu: driver and manifest disagree about the width of a counter\n"
        "       --allow-widths makes no failure of that\n");
    return EXIT_FAILED;
}

/* The chart that was asked for. */
static enum exit_code write_plot(const struct show *show,
    const struct samples *samples, const struct counter_lines *lines,
    const char *what)
{
    const char *path = show->options->plot;
    struct whole_file *file;
    struct counter_chart *chart;

    if (path == NULL) {
        return EXIT_OK;
    }
    chart = counter_chart_make(show->context, lines, samples, show->mhz, what);
    file = whole_file_open(show->context, path, WHOLE_FILE_ANY);
    if (file != NULL && show->options->plot_kind == PLOT_HTML) {
        counter_chart_print_page(chart, whole_file_stream(file));
    } else if (file != NULL) {
        counter_chart_print(chart, true, whole_file_stream(file));
    }
    if (file == NULL || !whole_file_finish(file)) {
        fprintf(stderr, "ntpmu: cannot write '%s': %s\n", visible_name(path),
            strerror(errno));
        return EXIT_INTERNAL;
    }
    return EXIT_OK;
}

static enum exit_code show_samples(
    struct show *show, const struct samples *samples, const char *what)
{
    const struct counter_lines_way way = {show->mhz, show->options->all,
        show->masked, show->options->instance.item,
        show->options->instance.count};
    const struct counter_lines *lines =
        counter_lines_make(show->context, samples, &show->manifests, &way);
    enum exit_code code = EXIT_OK;

    print_notes(show, samples, lines);
    if (lines->hidden > 0 && lines->count == 0) {
        fprintf(stderr,
            "ntpmu: all counters are bases, parts of a total or not "
            "for display\n"
            "       --all shows them\n");
        code = EXIT_NOTHING;
    } else if (lines->count == 0 &&
               (samples->appeared_count == 0 || all_met(show, lines))) {
        say_why_nothing(show, samples, what);
        code = EXIT_NOTHING;
    }
    if (!print_lines(show, lines)) {
        code = EXIT_INTERNAL;
    }
    code = worse(code, judge_widths(show, lines));
    if (lines->count > 0) {
        code = worse(code, write_plot(show, samples, lines, what));
    }
    if (samples->appeared_count > 0 &&
        (!check_sets(show, samples) || !check_instances(show, samples, lines) ||
            !counter_manifests_check_use(&show->manifests, stderr))) {
        code = worse(code, EXIT_NOTHING);
    }
    return code;
}

static enum exit_code judge(enum result result)
{
    struct report_totals totals = {.count = {0}};

    totals.count[result]++;
    return report_totals_judge(&totals);
}

enum exit_code show_verdict(
    struct show *show, const struct verdict *verdict, const char *what)
{
    static const struct counter_lines none = {.count = 0};
    const struct samples *samples = verdict->samples;
    enum exit_code code = judge(verdict->result);
    bool failed =
        samples == NULL ||
        (samples->count == 0 && verdict_result_failed(verdict->result));

    if (verdict->result != RESULT_SKIP && !failed) {
        return worse(code, show_samples(show, samples, what));
    }
    if (verdict->result != RESULT_SKIP) {
        fprintf(stderr, "ntpmu: it failed before a sample was complete\n");
    }
    return print_lines(show, &none) ? code : EXIT_INTERNAL;
}

void show_end(
    const char *what, const struct verdict *verdict, enum exit_code code)
{
    if (code != EXIT_OK && judge(verdict->result) == EXIT_OK) {
        fprintf(stderr, "%s: exit %d, though the run itself passed\n",
            visible_name(what), code);
        return;
    }
    fprintf(stderr, "%s: %s\n", visible_name(what),
        verdict_result_name(verdict->result));
}
