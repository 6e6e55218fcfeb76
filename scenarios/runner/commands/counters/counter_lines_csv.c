/* counter_lines_csv.c - RFC 4180's quoting, with lines that end in LF [C]. */
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/counters/counter_lines.h"

#define NS_PER_MS UINT64_C(1000000)

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

static void print_line(
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

        print_line(context, &lines->item[i], out);
        talloc_free(context);
    }
}
