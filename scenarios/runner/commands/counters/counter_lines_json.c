/* counter_lines_json.c - an array with an object for each line. */
#include "scenarios/runner/commands/counters/counter_lines.h"
#include "scenarios/runner/text/json_out.h"

static void print_line(struct json_out *json, const struct counter_line *line)
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
        print_line(&json, &lines->item[i]);
    }
    json_out_array_end(&json);
}
