/* diagnostics.c - errors of files collected, put in order, and shown with the
 * line and a caret. */
#include "scenarios/runner/yaml/diagnostics.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"
#include "scenarios/runner/text/key_index.h"
#include "scenarios/runner/text/terminal.h"
#include "scenarios/runner/text/text_width.h"
#include "scenarios/runner/text/visible_text.h"

enum {
    PLACE_BEFORE = 120,     /* characters before the place */
    PLACE_CUT = 60,         /* so many less than that are not worth a cut */
    PLACE_CHARACTERS = 320, /* of a line */
    PRINTED = 200,          /* errors; more of them help nobody */
};

static const char *const codes[DIAGNOSTIC_COUNT] = {
#define DIAGNOSTIC(name, code, ...) [DIAGNOSTIC_##name] = code,
#include "scenarios/runner/yaml/diagnostics.def"
};

const char *diagnostics_code(enum diagnostic_code code)
{
    return code == DIAGNOSTIC_NOTE ? NULL : codes[code];
}

struct diagnostics *diagnostics_new(void *context)
{
    struct diagnostics *diagnostics = talloc_zero(context, struct diagnostics);

    assert(diagnostics != NULL);
    return diagnostics;
}

static struct diagnostic *diagnostics_append(
    struct diagnostics *diagnostics, enum diagnostic_code code)
{
    size_t room = talloc_array_length(diagnostics->item);

    if (diagnostics->count == room) {
        diagnostics->item = talloc_realloc(diagnostics, diagnostics->item,
            struct diagnostic, (unsigned)(room == 0 ? 1 : 2 * room));
        assert(diagnostics->item != NULL);
    }
    diagnostics->errors += code != DIAGNOSTIC_NOTE;
    return &diagnostics->item[diagnostics->count++];
}

void diagnostics_add(struct diagnostics *diagnostics, enum diagnostic_code code,
    const struct source *source, struct mark mark, size_t width,
    const char *format, ...)
{
    struct diagnostic *diagnostic = diagnostics_append(diagnostics, code);
    va_list arguments;

    va_start(arguments, format);
    *diagnostic = (struct diagnostic){
        .code = code,
        .source = source,
        .path = source->path,
        .mark = mark,
        .width = width == 0 ? 1 : width,
        .message = talloc_vasprintf(diagnostics, format, arguments),
    };
    va_end(arguments);
}

void diagnostics_add_file(struct diagnostics *diagnostics,
    enum diagnostic_code code, const char *path, const char *format, ...)
{
    struct diagnostic *diagnostic = diagnostics_append(diagnostics, code);
    va_list arguments;

    va_start(arguments, format);
    *diagnostic = (struct diagnostic){
        .code = code,
        .path = talloc_strdup(diagnostics, path),
        .mark = {1, 1},
        .message = talloc_vasprintf(diagnostics, format, arguments),
    };
    va_end(arguments);
}

void diagnostics_hint(struct diagnostics *diagnostics, const char *format, ...)
{
    struct diagnostic *error;
    va_list arguments;

    assert(diagnostics->count > 0);
    error = &diagnostics->item[diagnostics->count - 1];
    while (error->code == DIAGNOSTIC_NOTE && error > diagnostics->item) {
        error--;
    }
    va_start(arguments, format);
    error->hint = talloc_vasprintf(diagnostics, format, arguments);
    va_end(arguments);
}

void diagnostics_hint_note(
    struct diagnostics *diagnostics, const char *format, ...)
{
    va_list arguments;

    assert(diagnostics->count > 0 &&
           diagnostics->item[diagnostics->count - 1].code == DIAGNOSTIC_NOTE);
    va_start(arguments, format);
    diagnostics->item[diagnostics->count - 1].hint =
        talloc_vasprintf(diagnostics, format, arguments);
    va_end(arguments);
}

/* What several instances of a scenario have in common is one error: everything
 * but the hint. Child of `context`. */
static char *said_key(void *context, const struct diagnostic *diagnostic)
{
    char *key = talloc_asprintf(context, "%p %d %zu %zu %s\n%s",
        (const void *)diagnostic->source, (int)diagnostic->code,
        diagnostic->mark.line, diagnostic->mark.column, diagnostic->path,
        diagnostic->message);

    assert(key != NULL);
    return key;
}

static void index_said(struct diagnostics *diagnostics)
{
    if (diagnostics->said == NULL) {
        diagnostics->said = key_index_new(diagnostics);
    }
    for (; diagnostics->indexed < diagnostics->count; diagnostics->indexed++) {
        char *key = said_key(NULL, &diagnostics->item[diagnostics->indexed]);
        size_t at;

        if (!key_index_find(diagnostics->said, key, strlen(key), &at)) {
            key_index_add(
                diagnostics->said, key, strlen(key), diagnostics->indexed);
        }
        talloc_free(key);
    }
}

static bool has(
    struct diagnostics *diagnostics, const struct diagnostic *wanted)
{
    char *key = said_key(NULL, wanted);
    size_t at;
    bool found;

    index_said(diagnostics);
    found = key_index_find(diagnostics->said, key, strlen(key), &at);
    talloc_free(key);
    return found;
}

static const char *keep(void *context, const char *text)
{
    return text == NULL ? NULL : talloc_strdup(context, text);
}

void diagnostics_merge(struct diagnostics *into, struct diagnostics *from)
{
    bool known = false;

    for (size_t i = 0; i < from->count; i++) {
        const struct diagnostic *one = &from->item[i];
        struct diagnostic *added;

        /* Notes go with the error before them. */
        if (one->code != DIAGNOSTIC_NOTE) {
            known = has(into, one);
        }
        if (known) {
            continue;
        }
        added = diagnostics_append(into, one->code);
        *added = *one;
        added->path = keep(into, one->path);
        added->message = keep(into, one->message);
        added->hint = keep(into, one->hint);
    }
}

size_t diagnostics_errors(const struct diagnostics *diagnostics)
{
    return diagnostics->errors;
}

/* The part of a long line that is shown: around the place. */
static void place_window(const char **line, size_t *length, size_t *before)
{
    size_t skip = 0;

    if (*before > PLACE_BEFORE + PLACE_CUT) {
        skip = utf8_bytes(*line, *length, *before - PLACE_BEFORE);
        *before = PLACE_BEFORE;
    }
    *line += skip;
    *length -= skip;
    *length = utf8_bytes(*line, *length, PLACE_CHARACTERS);
}

void diagnostics_print_place(const struct source *source, struct mark mark,
    size_t width, const char *hint, FILE *out)
{
    size_t whole, length, skip, under;
    size_t before = mark.column - 1;
    const char *start = source_line(source, mark.line, &whole);
    const char *line = start;

    length = whole;
    place_window(&line, &length, &before);
    skip = text_width_columns(line, length, before);
    under = text_width_range(line, length, before, width);
    fprintf(out, "%5zu | %s", mark.line, line == start ? "" : "...");
    text_width_print(line, length, out);
    fprintf(out, "%s\n      | %*s^", line + length < start + whole ? "..." : "",
        (int)skip + (line == start ? 0 : 3), "");
    for (size_t i = 1; i < under; i++) {
        fputc('~', out);
    }
    if (hint != NULL) {
        fprintf(out, " %s", visible_name(hint));
    }
    fputc('\n', out);
}

static void diagnostic_print(const struct diagnostic *diagnostic, FILE *out)
{
    fprintf(out, "%s:", visible_name(diagnostic->path));
    if (diagnostic->source != NULL) {
        fprintf(
            out, "%zu:%zu:", diagnostic->mark.line, diagnostic->mark.column);
    }
    fputc(' ', out);
    if (diagnostic->code == DIAGNOSTIC_NOTE) {
        fprintf(out, "note: ");
    } else {
        fprintf(out, "%serror[%s]%s: ", terminal_colour(out, TERMINAL_BAD),
            codes[diagnostic->code], terminal_plain(out));
    }
    visible_text_print(diagnostic->message, out);
    fputc('\n', out);
    if (diagnostic->source != NULL) {
        diagnostics_print_place(diagnostic->source, diagnostic->mark,
            diagnostic->width, diagnostic->hint, out);
    } else if (diagnostic->hint != NULL) {
        fprintf(out, "      = %s\n", visible_name(diagnostic->hint));
    }
}

/* An error together with the notes that follow it. */
struct diagnostic_group {
    size_t first, count;
    const struct diagnostics *of;
};

static int diagnostic_group_compare(const void *left, const void *right)
{
    const struct diagnostic_group *a = left, *b = right;
    const struct diagnostic *x = &a->of->item[a->first];
    const struct diagnostic *y = &b->of->item[b->first];
    int path = strcmp(x->path, y->path);

    if (path != 0) {
        return path;
    }
    if (x->mark.line != y->mark.line) {
        return x->mark.line < y->mark.line ? -1 : 1;
    }
    if (x->mark.column != y->mark.column) {
        return x->mark.column < y->mark.column ? -1 : 1;
    }
    return a->first < b->first ? -1 : 1;
}

struct diagnostics *diagnostics_in_order(
    void *context, const struct diagnostics *diagnostics)
{
    struct diagnostics *ordered = diagnostics_new(context);
    size_t errors = diagnostics_errors(diagnostics);
    struct diagnostic_group *group = talloc_zero_array(
        ordered, struct diagnostic_group, (unsigned)errors + 1);
    size_t count = 0;

    assert(group != NULL);
    for (size_t i = 0; i < diagnostics->count; i++) {
        if (diagnostics->item[i].code != DIAGNOSTIC_NOTE) {
            group[count++] = (struct diagnostic_group){i, 0, diagnostics};
        }
        assert(count > 0); /* a note follows an error */
        group[count - 1].count++;
    }
    qsort(group, count, sizeof(*group), diagnostic_group_compare);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < group[i].count; k++) {
            const struct diagnostic *one =
                &diagnostics->item[group[i].first + k];

            *diagnostics_append(ordered, one->code) = *one;
        }
    }
    talloc_free(group);
    return ordered;
}

void diagnostics_print(const struct diagnostics *diagnostics, FILE *out)
{
    struct diagnostics *ordered = diagnostics_in_order(NULL, diagnostics);
    size_t errors = diagnostics_errors(diagnostics);
    size_t printed = 0;

    for (size_t i = 0; i < ordered->count; i++) {
        printed += ordered->item[i].code != DIAGNOSTIC_NOTE;
        if (printed > PRINTED) {
            break;
        }
        diagnostic_print(&ordered->item[i], out);
    }
    if (errors > PRINTED) {
        fprintf(out, "and %zu error%s more\n", errors - PRINTED,
            errors - PRINTED == 1 ? "" : "s");
    }
    talloc_free(ordered);
}
