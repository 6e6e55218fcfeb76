/* yaml_line.c - what of an error of libyaml's is plain from the lines alone: a
 * '- ' that is missing or has no blank, and keys in the wrong column. */
#include "scenarios/runner/yaml/yaml_line.h"

#include <stddef.h>
#include <string.h>

/* How a line begins. Columns count from 1. */
struct line {
    const char *text;
    size_t length;
    size_t column; /* of its first character that is no blank; 0: it has none */
    bool is_item;  /* that is a '-' with a blank behind it */
    size_t key;    /* the column of what stands behind the '- ', or as above */
    size_t width;  /* of the word that stands there; its end or its colon */
    bool has_key;  /* with a colon */
};

static size_t skip_blanks(const struct line *line, size_t at)
{
    while (at < line->length && line->text[at] == ' ') {
        at++;
    }
    return at;
}

static struct line line_at(const struct source *source, size_t number)
{
    struct line line = {0};
    size_t at, end;

    line.text = source_line(source, number, &line.length);
    at = skip_blanks(&line, 0);
    if (at == line.length || line.text[at] == '#') {
        return line;
    }
    line.column = line.key = at + 1;
    line.is_item = line.text[at] == '-' && at + 1 < line.length &&
                   line.text[at + 1] == ' ';
    while (at + 1 < line.length && line.text[at] == '-' &&
           line.text[at + 1] == ' ') {
        at = skip_blanks(&line, at + 1);
    }
    line.key = at + 1;
    end = at;
    while (end < line.length && strchr(" :{}[],\"'#", line.text[end]) == NULL) {
        end++;
    }
    line.width = end - at;
    line.has_key = line.width > 0 && end < line.length &&
                   line.text[end] == ':' &&
                   (end + 1 == line.length || line.text[end + 1] == ' ');
    return line;
}

/* The nearest line above that is not empty; false: there is none. */
static bool line_above(
    const struct source *source, size_t *number, struct line *line)
{
    while (*number > 1) {
        *line = line_at(source, --*number);
        if (line->column != 0) {
            return true;
        }
    }
    return false;
}

/* The nearest item of a list above that begins no further in than `column`. */
static bool item_above(const struct source *source, size_t number,
    size_t column, struct line *item)
{
    while (line_above(source, &number, item)) {
        if (item->is_item && item->column <= column) {
            return true;
        }
        if (item->column < column) {
            return false;
        }
    }
    return false;
}

static void report(struct diagnostics *diagnostics, const struct source *source,
    size_t line, size_t column, size_t width, const char *message)
{
    diagnostics_add(diagnostics, DIAGNOSTIC_SYNTAX, source,
        (struct mark){line, column}, width, "%s", message);
}

/* -{a: 1} or -a: 1, beside items that have a blank there or not. */
static bool report_dash(const struct source *source, size_t number,
    const struct line *line, struct diagnostics *diagnostics)
{
    const char *first = line->text + line->column - 1;
    size_t rest = line->length - (line->column - 1);

    if (rest < 2 || first[0] != '-' || strchr(" -.0123456789", first[1])) {
        return false;
    }
    report(diagnostics, source, number, line->column, 1,
        "a '-' without a blank behind it begins no item of a list");
    diagnostics_hint(diagnostics, "write '- '");
    return true;
}

/* A line in the column of a list's '- ' that has none. */
static bool report_item(const struct source *source, size_t number,
    const struct line *line, struct diagnostics *diagnostics)
{
    struct line item;

    if (line->is_item || !item_above(source, number, line->column, &item)) {
        return false;
    }
    if (line->column == item.column) {
        report(diagnostics, source, number, line->column, 1,
            "a line in the column of a list's items that is none: it has no "
            "'- '");
    } else {
        report(diagnostics, source, number, line->column, line->width,
            "a line further in than the items of the list, but not as far as "
            "the keys of the item above it");
    }
    if (line->has_key && item.has_key) {
        diagnostics_hint(diagnostics,
            "begin it in column %zu, as '%.*s', or write '- ' in column %zu "
            "for another item",
            item.key, (int)item.width, item.text + item.key - 1, item.column);
    } else {
        diagnostics_hint(diagnostics, "write '- ' before it");
    }
    return true;
}

/* A key further in than the key of the line above, which has a value already.
 */
static bool report_further(const struct source *source, size_t number,
    const struct line *line, struct mark here, struct diagnostics *diagnostics)
{
    struct line above;
    size_t at = number;

    /* libyaml stumbles over the colon, or over the key behind a comment. */
    if (!line->has_key ||
        (line->key + line->width != here.column && line->key != here.column) ||
        !line_above(source, &at, &above) || !above.has_key ||
        above.key >= line->key) {
        return false;
    }
    report(diagnostics, source, number, line->key, line->width,
        "a key further in than the one above it, which has its value already");
    diagnostics_hint(diagnostics, "begin it in column %zu, as '%.*s'",
        above.key, (int)above.width, above.text + above.key - 1);
    return true;
}

bool yaml_line_report(const yaml_parser_t *parser, const struct source *source,
    struct mark here, struct diagnostics *diagnostics)
{
    const char *problem = parser->problem;
    struct line line = line_at(source, here.line);

    if (line.column == 0) {
        return false;
    }
    if (strcmp(problem, "mapping values are not allowed in this context") ==
        0) {
        return report_dash(source, here.line, &line, diagnostics) ||
               report_further(source, here.line, &line, here, diagnostics);
    }
    if (strcmp(problem, "did not find expected key") == 0) {
        return report_further(source, here.line, &line, here, diagnostics);
    }
    if (strcmp(problem, "did not find expected '-' indicator") == 0 ||
        strcmp(problem, "could not find expected ':'") == 0) {
        return report_dash(source, here.line, &line, diagnostics) ||
               report_item(source, here.line, &line, diagnostics);
    }
    return false;
}
