/* page.c - a page copied, its tables made anew. */
#define _POSIX_C_SOURCE 200809L
#include "tests/bench/frame/page.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/frame/stored_run.h"

#define FIGURES "<!-- figures "
#define GROWTH "<!-- growth -->\n"
#define CLOSE " -->\n"
#define END "<!-- end -->\n"

struct page {
    const struct bench *bench;
    const json_t *figures, *growths;
    bool *placed; /* of each benchmark */
    bool growth_placed;
    FILE *out;
};

/* Three digits, and none of an exponent. */
static void print_number(double number, FILE *out)
{
    fprintf(out, number >= 100 ? "%.0f" : "%.3g", number);
}

static void print_member(const json_t *row, const char *member, FILE *out)
{
    print_number(json_number_value(json_object_get(row, member)), out);
}

static bool stored_misses(const struct benchmark *benchmark, const json_t *row)
{
    const json_t *judged = json_object_get(row, "judged");

    return benchmark_slower(
               benchmark, json_number_value(judged), benchmark->bar) > 1;
}

static void print_figure(
    const struct page *page, const struct benchmark *benchmark)
{
    const char *unit =
        benchmark->unit == UNIT_RATIO ? "" : benchmark_units[benchmark->unit];
    const json_t *row = run_find(page->figures, benchmark->name);

    fprintf(page->out, "| %s | ", benchmark->name);
    if (row == NULL) {
        fputs("not measured | ", page->out);
    } else {
        print_member(row, "judged", page->out);
        fprintf(page->out, "%s%s%s | ", *unit == '\0' ? "" : " ", unit,
            stored_misses(benchmark, row) ? " (misses)" : "");
    }
    fputs(benchmark->value == VALUE_SHARE ? "at least " : "", page->out);
    print_number(benchmark->bar, page->out);
    fputs(" | ", page->out);
    if (row != NULL) {
        print_member(row, "ratio", page->out);
    }
    fprintf(page->out, " | %s |\n", benchmark->to);
}

/* Whether the name begins with one of the words up to `end`. */
static bool begins(const char *name, const char *words, const char *end)
{
    while (words < end) {
        size_t length = strcspn(words, " ");

        if (strncmp(name, words, length) == 0) {
            return true;
        }
        words += length + 1;
    }
    return false;
}

static bool print_figures(struct page *page, const char *words, const char *end)
{
    bool any = false;

    fputs("| benchmark | figure | bar | ratio | to |\n|---|---|---|---|---|\n",
        page->out);
    for (size_t i = 0; i < page->bench->count; i++) {
        if (begins(page->bench->benchmark[i].name, words, end)) {
            print_figure(page, &page->bench->benchmark[i]);
            page->placed[i] = true;
            any = true;
        }
    }
    return any;
}

static void print_time(double ns, FILE *out)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;

    for (; unit < 3 && ns >= 1000; unit++) {
        ns /= 1000;
    }
    print_number(ns, out);
    fprintf(out, " %s", units[unit]);
}

static void print_growth(struct page *page, const struct growth *growth)
{
    const json_t *row = run_find(page->growths, growth->name);
    const json_t *ns = json_object_get(row, "ns");
    const json_t *exponent = json_object_get(row, "exponent");

    fprintf(page->out, "| %s | %s |", growth->name, growth->what);
    for (unsigned i = 0; i < GROWTH_SIZES; i++) {
        fprintf(page->out, " %llu: ", (unsigned long long)growth->size[i]);
        if (row == NULL) {
            fputs("not measured |", page->out);
        } else {
            print_time(json_number_value(json_array_get(ns, i)), page->out);
            fputs(" |", page->out);
        }
    }
    if (json_is_number(exponent)) {
        fprintf(page->out, " %.2f", json_number_value(exponent));
    }
    fprintf(page->out, "%s | %g |\n",
        json_number_value(exponent) > growth_most(growth) ? " (misses)" : "",
        growth_most(growth));
}

static void print_growths(struct page *page)
{
    fputs("| name | of | small | middle | large | exponent | most |\n"
          "|---|---|---|---|---|---|---|\n",
        page->out);
    for (size_t i = 0; i < page->bench->growth_count; i++) {
        print_growth(page, &page->bench->growth[i]);
    }
    page->growth_placed = true;
}

/* What a line asks for, printed; false: it asks for what there is not. */
static bool print_table(struct page *page, const char *line, FILE *err)
{
    const char *words = line + strlen(FIGURES);
    const char *close = strstr(line, CLOSE);

    if (strcmp(line, GROWTH) == 0) {
        print_growths(page);
    } else if (close == NULL || !print_figures(page, words, close)) {
        fprintf(err, "bench: no benchmark's name begins as in %s", line);
        return false;
    }
    return true;
}

static bool is_table(const char *line)
{
    return strncmp(line, FIGURES, strlen(FIGURES)) == 0 ||
           strcmp(line, GROWTH) == 0;
}

/* The page copied, but for the lines of tables. */
static bool copy(struct page *page, FILE *in, FILE *err)
{
    char *line = NULL;
    size_t size = 0;
    bool within = false, good = true;

    while (good && getline(&line, &size, in) > 0) {
        within = within && strcmp(line, END) != 0;
        if (within) {
            continue;
        }
        fputs(line, page->out);
        if (is_table(line)) {
            good = print_table(page, line, err);
            within = true;
        }
    }
    if (good && within) {
        fprintf(err, "bench: the last table has no %s", END);
        good = false;
    }
    free(line);
    return good;
}

/* Whether every row has its place. */
static bool is_whole(const struct page *page, FILE *err)
{
    for (size_t i = 0; i < page->bench->count; i++) {
        if (!page->placed[i]) {
            fprintf(err,
                "bench: no table of the page has %s: write "
                "<!-- figures PREFIX... --> and <!-- end --> into it\n",
                page->bench->benchmark[i].name);
            return false;
        }
    }
    if (!page->growth_placed && page->bench->growth_count > 0) {
        fprintf(err, "bench: the page has no %s", GROWTH);
        return false;
    }
    return true;
}

static bool print_page(struct page *page, const char *path, FILE *err)
{
    FILE *in = fopen(path, "r");
    bool good;

    if (in == NULL) {
        fprintf(err, "bench: cannot read %s\n", path);
        return false;
    }
    good = copy(page, in, err) && is_whole(page, err);
    fclose(in);
    return good;
}

bool page_print(const struct bench *bench, const char *path,
    const char *const run[2], FILE *out, FILE *err)
{
    json_t *figures = run_read(bench, run[0], err);
    json_t *growths =
        figures == NULL ? NULL : run_read_growth(bench, run[1], err);
    struct page page = {.bench = bench,
        .figures = figures,
        .growths = growths,
        .placed = calloc(bench->count, sizeof(bool)),
        .out = out};
    bool good = false;

    assert(page.placed != NULL);
    if (growths != NULL) {
        good = print_page(&page, path, err);
    }
    free(page.placed);
    json_decref(figures);
    json_decref(growths);
    return good;
}
