/* counter_lines_print.c - the lines of ntpmu counters printed in each of its
 * formats: a table, CSV, JSON. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/counters/counter_lines.h"
#include "scenarios/runner/text/json_out.h"
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

/* RFC 4180's quoting, with lines that end in LF [C]. */
static void print_field(const char *text, FILE *out)
{
    if (strpbrk(text, "\",\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_csv_line(
    void *context, const struct counter_line *line, FILE *out)
{
    fprintf(out, "%" PRIu64 ".%06" PRIu64 ",", line->time_ns / NS_PER_MS,
        line->time_ns % NS_PER_MS);
    print_field(line->set, out);
    fputc(',', out);
    print_field(line->instance, out);
    fprintf(
        out, ",%" PRIu32 ",%" PRIu32 ",", line->instance_id, line->counter_id);
    print_field(counter_line_name(context, line), out);
    fprintf(out, ",%s,%" PRIu64 ",%s,%s\n",
        line->counter == NULL ? ""
                              : counter_type_rows[line->counter->type].word,
        line->value, line->figure == NULL ? "" : line->figure,
        counter_line_unit(line));
}

void counter_lines_print_csv(const struct counter_lines *lines, FILE *out)
{
    fputs("time_ms,counterset,instance,instance_id,counter_id,counter,type,"
          "value,figure,unit\n",
        out);
    for (size_t i = 0; i < lines->count; i++) {
        void *context = talloc_new(NULL);

        print_csv_line(context, &lines->item[i], out);
        talloc_free(context);
    }
}

static void print_json_line(
    struct json_out *json, const struct counter_line *line)
{
    json_out_object(json, NULL);
    json_out_number(json, "time_ns", line->time_ns);
    json_out_string(json, "counterset", line->set);
    json_out_string(json, "instance", line->instance);
    json_out_number(json, "instance_id", line->instance_id);
    json_out_number(json, "counter_id", line->counter_id);
    json_out_string_or_null(json, "counter", line->name);
    json_out_string_or_null(json, "type",
        line->counter == NULL ? NULL
                              : counter_type_rows[line->counter->type].word);
    json_out_number(json, "value", line->value);
    if (line->figure == NULL) {
        json_out_null(json, "figure");
    } else {
        json_out_figure(json, "figure", line->figure);
    }
    json_out_string(json, "unit", counter_line_unit(line));
    json_out_object_end(json);
}

void counter_lines_print_json(const struct counter_lines *lines, FILE *out)
{
    struct json_out json = {.out = out};

    json_out_array(&json, NULL);
    for (size_t i = 0; i < lines->count; i++) {
        print_json_line(&json, &lines->item[i]);
    }
    json_out_array_end(&json);
}
