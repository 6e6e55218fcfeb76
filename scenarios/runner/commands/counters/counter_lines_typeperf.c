/* counter_lines_typeperf.c - the lines of ntpmu counters as typeperf writes
 * them: a column for each counter of each instance, a row for each sample. */
#include <inttypes.h>
#include <stdlib.h>
#include <talloc.h>
#include <time.h>

#include "api/ke/clock.h"
#include "scenarios/runner/commands/counters/counter_series.h"
#include "scenarios/runner/text/csv_text.h"

#define UNITS_PER_SECOND UINT64_C(10000000)
#define NS_PER_SECOND UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
/* From 1601 to 1970. */
#define SECONDS_TO_1970 UINT64_C(11644473600)

/* The system's time, which is GMT, when the machine has run for that long. */
static void print_time(uint64_t time_ns, FILE *out)
{
    time_t seconds = (time_t)(CLOCK_BOOT_TIME / UNITS_PER_SECOND -
                              SECONDS_TO_1970 + time_ns / NS_PER_SECOND);
    struct tm parts;

    gmtime_r(&seconds, &parts);
    fprintf(out, "\"%02d/%02d/%04d %02d:%02d:%02d.%03" PRIu64 "\"",
        parts.tm_mon + 1, parts.tm_mday, parts.tm_year + 1900, parts.tm_hour,
        parts.tm_min, parts.tm_sec, time_ns % NS_PER_SECOND / NS_PER_MS);
}

/* Without a figure it is a blank, as typeperf's first line has of rates. */
static void print_figure(const struct counter_line *line, FILE *out)
{
    if (line == NULL || line->figure == NULL) {
        fputs(",\" \"", out);
    } else {
        fprintf(out, ",\"%.6f\"", strtod(line->figure, NULL));
    }
}

/* Every field is in quotes, and a line ends in CR LF. */
static void print_head(const struct counter_series_list *list, FILE *out)
{
    fputs("\"(PDH-CSV 4.0)\"", out);
    for (size_t i = 0; i < list->count; i++) {
        void *context = talloc_new(NULL);

        fputc(',', out);
        csv_text_print_quoted(
            counter_series_path(context, &list->item[i]), out);
        talloc_free(context);
    }
    fputs("\r\n", out);
}

/* `next` says which line of each series comes next; of the first that the
 * sample has is the time. */
static void print_sample(const struct counter_series_list *list, size_t sample,
    uint64_t time_ns, size_t *next, FILE *out)
{
    print_time(time_ns, out);
    for (size_t i = 0; i < list->count; i++) {
        const struct counter_series *series = &list->item[i];
        bool there =
            next[i] < series->count && series->line[next[i]]->sample == sample;

        print_figure(there ? series->line[next[i]++] : NULL, out);
    }
    fputs("\r\n", out);
}

void counter_lines_print_typeperf(const struct counter_lines *lines, FILE *out)
{
    void *context = talloc_new(NULL);
    const struct counter_series_list *list =
        counter_series_make(context, lines);
    size_t *next =
        talloc_zero_array(context, size_t, (unsigned)list->count + 1);

    print_head(list, out);
    for (size_t i = 0; i < lines->count; i++) {
        const struct counter_line *line = &lines->item[i];

        if (i == 0 || line->sample != lines->item[i - 1].sample) {
            print_sample(list, line->sample, line->time_ns, next, out);
        }
    }
    talloc_free(context);
}
