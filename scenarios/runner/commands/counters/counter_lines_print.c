/* counter_lines_print.c - the lines of ntpmu counters printed in each of its
 * formats: a table, CSV, JSON. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/counters/counter_lines.h"
#include "scenarios/runner/counters/instance_path.h"
#include "scenarios/runner/text/csv_text.h"
#include "scenarios/runner/text/json_out.h"
#include "scenarios/runner/text/text_columns.h"
#include "scenarios/runner/text/visible_text.h"

#define NS_PER_MS UINT64_C(1000000)

enum { COLUMNS = 6, NUMBER_BYTES = 32 };

/* What a line has in each column. */
struct cells {
    const char *text[COLUMNS];
    char time[NUMBER_BYTES], value[NUMBER_BYTES];
};

const char *counter_line_figure(void *context, const struct counter_line *line)
{
    const char *unit = counter_line_unit(line);

    if (line->figure == NULL) {
        return "";
    }
    if (counter_line_is_hex(line)) {
        return talloc_asprintf(
            context, "0x%" PRIX64, (uint64_t)strtoull(line->figure, NULL, 10));
    }
    return unit[0] == '\0'
               ? line->figure
               : talloc_asprintf(context, "%s%s%s", line->figure,
                     isalpha((unsigned char)unit[0]) ? " " : "", unit);
}

/* The last byte, which becomes a NUL. */
static char *last_of(char text[NUMBER_BYTES])
{
    text[NUMBER_BYTES - 1] = '\0';
    return &text[NUMBER_BYTES - 1];
}

/* The number before `end`, with so many digits at the least; where it begins.
 * printf would be a third of a table's time. */
static char *decimal_text(char *end, uint64_t number, unsigned digits)
{
    for (; number > 0 || digits > 0; number /= 10) {
        *--end = (char)('0' + number % 10);
        digits -= digits > 0;
    }
    return end;
}

static char *milliseconds_text(char text[NUMBER_BYTES], uint64_t time_ns)
{
    char *at = decimal_text(last_of(text), time_ns % NS_PER_MS, 6);

    *--at = '.';
    return decimal_text(at, time_ns / NS_PER_MS, 1);
}

/* Texts are the line's, in the cells or children of `context`. */
static void fill_cells(
    void *context, const struct counter_line *line, struct cells *cells)
{
    cells->text[0] = milliseconds_text(cells->time, line->time_ns);
    cells->text[1] = visible_text_of(context, line->set);
    cells->text[2] = visible_text_of(context, line->instance);
    cells->text[3] = visible_text_of(context, counter_line_name(context, line));
    cells->text[4] = decimal_text(last_of(cells->value), line->value, 1);
    cells->text[5] = counter_line_figure(context, line);
}

void counter_lines_print_table(const struct counter_lines *lines, FILE *out)
{
    struct text_column column[COLUMNS] = {{"time (ms)", true, 0},
        {"counter set", false, 0}, {"instance", false, 0},
        {"counter", false, 0}, {"value", true, 0}, {"figure", true, 0}};
    void *context = talloc_new(NULL);
    struct cells cells;

    text_columns_widen_heads(column, COLUMNS);
    for (size_t i = 0; i < lines->count; i++) {
        fill_cells(context, &lines->item[i], &cells);
        text_columns_widen(column, COLUMNS, cells.text);
        talloc_free_children(context);
    }
    text_columns_print_heads(column, COLUMNS, out);
    for (size_t i = 0; i < lines->count; i++) {
        fill_cells(context, &lines->item[i], &cells);
        text_columns_print(column, COLUMNS, cells.text, out);
        talloc_free_children(context);
    }
    talloc_free(context);
}

static void print_csv_line(
    void *context, const struct counter_line *line, FILE *out)
{
    fprintf(out, "%" PRIu64 ".%06" PRIu64 ",", line->time_ns / NS_PER_MS,
        line->time_ns % NS_PER_MS);
    csv_text_print(line->set, out);
    fputc(',', out);
    csv_text_print(line->instance, out);
    fprintf(
        out, ",%" PRIu32 ",%" PRIu32 ",", line->instance_id, line->counter_id);
    csv_text_print(counter_line_name(context, line), out);
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
    void *context = talloc_new(NULL);

    json_out_object(json, NULL);
    json_out_number(json, "time_ns", line->time_ns);
    json_out_string(json, "counterset", line->set);
    json_out_string(json, "instance", line->instance);
    json_out_string_or_null(
        json, "parent", instance_path_parent(context, line->instance));
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
    if (line->counter == NULL) {
        json_out_null(json, "default_scale");
    } else {
        json_out_figure(json, "default_scale",
            talloc_asprintf(context, "%d", line->counter->default_scale));
    }
    json_out_object_end(json);
    talloc_free(context);
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
