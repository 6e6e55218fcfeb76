/* report_given.c - a node that stands for a parameter knows where its value is
 * written; its own place has the name. */
#include "scenarios/runner/report/report_given.h"

#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"

enum { REPORT_GIVEN = 4 };

/* What is written at a place, which is on one line. */
static void print_written(const struct node *place, FILE *out)
{
    size_t length;
    const char *line = source_line(place->source, place->mark.line, &length);
    size_t before = utf8_bytes(line, length, place->mark.column - 1);

    fwrite(line + before, 1,
        utf8_bytes(line + before, length - before, place->width), out);
}

static void print_given(
    const struct outline *outline, const struct node *place, FILE *out)
{
    const struct node *value = place->from;
    char *shown = node_show(NULL, value);

    fputs("      = ", out);
    print_written(place, out);
    fprintf(out, ": %s, ", shown);
    talloc_free(shown);
    if (value->source->path[0] == '-') {
        fputs("-D\n", out); /* the command line */
    } else if (value->source == place->source &&
               value->source == outline->source) {
        fprintf(out, "%s line %zu\n", outline_section(outline, value),
            value->mark.line);
    } else {
        fprintf(out, "%s line %zu\n", value->source->path, value->mark.line);
    }
}

static void walk(const struct outline *outline, const struct node *place,
    size_t *left, FILE *out)
{
    if (place->from != NULL && *left > 0) {
        --*left;
        print_given(outline, place, out);
        return;
    }
    for (size_t i = 0; place->kind != NODE_SCALAR && i < place->count; i++) {
        walk(outline,
            place->kind == NODE_SEQUENCE ? place->item[i]
                                         : place->entry[i].value,
            left, out);
    }
}

void report_given(
    const struct outline *outline, const struct node *place, FILE *out)
{
    size_t left = REPORT_GIVEN;

    /* The scenario as a whole, or a whole step, is no value. */
    if (place->kind == NODE_MAPPING && node_get(place, "steps") != NULL) {
        return;
    }
    walk(outline, place, &left, out);
}
