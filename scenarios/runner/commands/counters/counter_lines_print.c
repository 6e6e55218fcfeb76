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

enum { COLUMNS = 6 };

/* What a line has in each column. */
struct cells {
    const char *text[COLUMNS];
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
        counter_line_figure(context, line),
    }};
}

void counter_lines_print_table(const struct counter_lines *lines, FILE *out)
{
    struct text_column column[COLUMNS] = {{"time (ms)", true, 0},
        {"counter set", false, 0}, {"instance", false, 0},
        {"counter", false, 0}, {"value", true, 0}, {"figure", true, 0}};

    text_columns_widen_heads(column, COLUMNS);
    for (size_t i = 0; i < lines->count; i++) {
        void *context = talloc_new(NULL);

        text_columns_widen(
            column, COLUMNS, cells_of(context, &lines->item[i]).text);
        talloc_free(context);
    }
    text_columns_print_heads(column, COLUMNS, out);
    for (size_t i = 0; i < lines->count; i++) {
        void *context = talloc_new(NULL);

        text_columns_print(
            column, COLUMNS, cells_of(context, &lines->item[i]).text, out);
        talloc_free(context);
    }
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
