/* counter_lines_table.c - columns as wide as what is in them. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/counters/counter_lines.h"
#include "scenarios/runner/text/text_width.h"
#include "scenarios/runner/text/visible_text.h"

#define NS_PER_MS UINT64_C(1000000)

enum { COLUMNS = 6, GAP = 2 };

static const struct {
    const char *head;
    bool number; /* at the right of its column */
} columns[COLUMNS] = {{"time (ms)", true}, {"counter set", false},
    {"instance", false}, {"counter", false}, {"value", true}, {"figure", true}};

/* What a line has in each column. */
struct cells {
    const char *text[COLUMNS];
};

static const char *figure_text(void *context, const struct counter_line *line)
{
    const char *unit = counter_line_unit(line);

    if (line->figure == NULL) {
        return "";
    }
    if (counter_line_is_hex(line)) {
        return talloc_asprintf(
            context, "0x%" PRIX64, (uint64_t)strtoull(line->figure, NULL, 10));
    }
    return talloc_asprintf(context, "%s%s%s", line->figure,
        isalpha((unsigned char)unit[0]) ? " " : "", unit);
}

static struct cells cells_of(void *context, const struct counter_line *line)
{
    return (struct cells){{
        talloc_asprintf(context, "%" PRIu64 ".%06" PRIu64,
            line->time_ns / NS_PER_MS, line->time_ns % NS_PER_MS),
        visible_text(context, line->set),
        visible_text(context, line->instance),
        visible_text(context, counter_line_name(context, line)),
        talloc_asprintf(context, "%" PRIu64, line->value),
        figure_text(context, line),
    }};
}

static size_t width_of(const char *text)
{
    size_t length = strlen(text);

    return text_width_columns(text, length, length);
}

static void widen(const struct cells *cells, size_t width[COLUMNS])
{
    for (size_t i = 0; i < COLUMNS; i++) {
        size_t columns_taken = width_of(cells->text[i]);

        width[i] = columns_taken > width[i] ? columns_taken : width[i];
    }
}

/* No spaces at the end of a line. */
static void print_cells(
    const struct cells *cells, const size_t width[COLUMNS], FILE *out)
{
    size_t due = 0; /* spaces before what comes next */

    for (size_t i = 0; i < COLUMNS; i++) {
        const char *text = cells->text[i];
        size_t left = width[i] - width_of(text);

        if (text[0] != '\0') {
            fprintf(
                out, "%*s", (int)(due + (columns[i].number ? left : 0)), "");
            text_width_print(text, strlen(text), out);
            due = columns[i].number ? 0 : left;
        } else {
            due += width[i];
        }
        due += GAP;
    }
    fputc('\n', out);
}

void counter_lines_print_table(const struct counter_lines *lines, FILE *out)
{
    size_t width[COLUMNS] = {0};
    struct cells heads;

    for (size_t i = 0; i < COLUMNS; i++) {
        heads.text[i] = columns[i].head;
    }
    widen(&heads, width);
    for (size_t i = 0; i < lines->count; i++) {
        void *context = talloc_new(NULL);
        struct cells cells = cells_of(context, &lines->item[i]);

        widen(&cells, width);
        talloc_free(context);
    }
    print_cells(&heads, width, out);
    for (size_t i = 0; i < lines->count; i++) {
        void *context = talloc_new(NULL);
        struct cells cells = cells_of(context, &lines->item[i]);

        print_cells(&cells, width, out);
        talloc_free(context);
    }
}
