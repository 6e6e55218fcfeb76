/* fmt_diff.c - what a layout changes in a file, line by line: a comparison that
 * knows how the two texts can differ. */
#include "scenarios/runner/commands/fmt/fmt_diff.h"

#include <string.h>

#include "scenarios/runner/text/visible_text.h"

enum { SHOWN = 100 }; /* lines of a file */

struct line {
    const char *text; /* with its CR, without its LF */
    size_t length;
    bool ended; /* by an LF */
};

/* Lines that are gone and lines that came, at one place; numbers from 0. */
struct hunk {
    size_t before, before_count;
    size_t after, after_count;
};

/* What follows the last line end is a line only if it has something. */
static size_t count_lines(const struct source *source)
{
    return source->line_count -
           (source->length == 0 || source->text[source->length - 1] == '\n');
}

static struct line line_at(const struct source *source, size_t number)
{
    size_t start = source->line_start[number];
    size_t end = source->line_start[number + 1] - 1;

    return (struct line){
        source->text + start, end - start, end < source->length};
}

/* A line that fmt may drop. */
static bool is_empty(const struct line *line)
{
    return strspn(line->text, " \t\r,") >= line->length;
}

static bool same(const struct line *one, const struct line *other)
{
    return one->length == other->length && one->ended == other->ended &&
           memcmp(one->text, other->text, one->length) == 0;
}

/* Numbers count from 1; where there are no lines, that of the line before, as
 * in every unified diff. */
static void print_range(char sign, size_t first, size_t count, FILE *out)
{
    fprintf(out, "%c%zu", sign, count == 0 ? first : first + 1);
    if (count != 1) {
        fprintf(out, ",%zu", count);
    }
}

static void print_line(
    char sign, const struct source *source, size_t number, FILE *out)
{
    struct line line = line_at(source, number);
    size_t text = line.length;

    while (text > 0 && strchr(" \t\r", line.text[text - 1]) != NULL) {
        text--;
    }
    fputc(sign, out);
    for (size_t i = 0; i < line.length; i++) {
        char c = line.text[i];

        if (c == '\t' || c == '\r' || i >= text) {
            fprintf(out, "\\%c", c == '\t' ? 't' : c == '\r' ? 'r' : 's');
        } else {
            fputc(c, out);
        }
    }
    fputc('\n', out);
    if (!line.ended) {
        fprintf(out, "\\ no line end at the end of the file\n");
    }
}

static void print_hunk(const struct hunk *hunk, const struct source *before,
    const struct source *after, FILE *out)
{
    fprintf(out, "@@ ");
    print_range('-', hunk->before, hunk->before_count, out);
    fputc(' ', out);
    print_range('+', hunk->after, hunk->after_count, out);
    fprintf(out, " @@\n");
    for (size_t i = 0; i < hunk->before_count; i++) {
        print_line('-', before, hunk->before + i, out);
    }
    for (size_t i = 0; i < hunk->after_count; i++) {
        print_line('+', after, hunk->after + i, out);
    }
}

/* The next lines that differ; false when the rest is the same. */
static bool next_hunk(const struct source *before, const struct source *after,
    size_t *a, size_t *b, struct hunk *hunk)
{
    size_t a_end = count_lines(before), b_end = count_lines(after);

    *hunk = (struct hunk){0};
    while (*a < a_end || *b < b_end) {
        struct line old = *a < a_end ? line_at(before, *a) : (struct line){0};
        struct line new = *b < b_end ? line_at(after, *b) : (struct line){0};
        bool gone =
            *b == b_end || (*a < a_end && is_empty(&old) && !is_empty(&new));
        bool came =
            !gone && (*a == a_end || (is_empty(&new) && !is_empty(&old)));

        if (!gone && !came && same(&old, &new)) {
            if (hunk->before_count + hunk->after_count > 0) {
                return true;
            }
            hunk->before = ++*a;
            hunk->after = ++*b;
            continue;
        }
        hunk->before_count += !came;
        hunk->after_count += !gone;
        *a += !came;
        *b += !gone;
    }
    return hunk->before_count + hunk->after_count > 0;
}

void fmt_diff_print(
    const struct source *before, const struct source *after, FILE *out)
{
    size_t a = 0, b = 0, shown = 0, hidden = 0;
    struct hunk hunk = {0};

    fprintf(out, "--- %s\n+++ %s, as fmt lays it out\n",
        visible_name(before->path), visible_name(before->path));
    while (next_hunk(before, after, &a, &b, &hunk)) {
        size_t lines = hunk.before_count + hunk.after_count;

        if (shown > 0 && shown + lines > SHOWN) {
            hidden += lines;
            continue;
        }
        shown += lines;
        print_hunk(&hunk, before, after, out);
    }
    if (hidden > 0) {
        fprintf(out, "and %zu line%s more\n", hidden, hidden == 1 ? "" : "s");
    }
}
