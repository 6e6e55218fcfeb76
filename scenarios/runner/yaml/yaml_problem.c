/* yaml_problem.c - errors of libyaml told in our words: its texts looked up in
 * yaml_problems.def, and the places they are about. */
#include "scenarios/runner/yaml/yaml_problem.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "scenarios/runner/yaml/yaml_line.h"

enum problem_place { HERE, START };

static const struct problem {
    const char *text;
    char character; /* 0: any */
    enum diagnostic_code code;
    enum problem_place place;
    const char *message, *hint;
} problems[] = {
#define PROBLEM(text, character, code, place, message, hint)                   \
    {text, character, DIAGNOSTIC_##code, place, message, hint},
#include "scenarios/runner/yaml/yaml_problems.def"
};

static const struct opener {
    const char *text, *note;
} openers[] = {
#define OPENER(text, note) {text, note},
#include "scenarios/runner/yaml/yaml_problems.def"
};

/* What is reported, and where in the text it is. */
struct report {
    const yaml_parser_t *parser;
    const struct source *source;
    struct diagnostics *diagnostics;
    size_t here;
};

static const struct problem *problem_find(const struct report *report)
{
    for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++) {
        const struct problem *problem = &problems[i];

        if (strcmp(problem->text, report->parser->problem) == 0 &&
            (problem->character == 0 ||
                problem->character == report->source->text[report->here])) {
            return problem;
        }
    }
    return NULL;
}

static struct mark to_mark(const struct source *source, yaml_mark_t mark)
{
    const struct mark place = {mark.line + 1, mark.column + 1};

    /* libyaml ends the last line where the file does not. */
    return place.line > source->line_count ? source_mark(source, source->length)
                                           : place;
}

/* Marks count characters, but errors of the encoding have only an offset. */
static size_t find_here(
    const yaml_parser_t *parser, const struct source *source)
{
    size_t offset = parser->problem_offset;

    if (parser->error == YAML_READER_ERROR) {
        return offset < source->length ? offset : source->length;
    }
    return source_offset(source, to_mark(source, parser->problem_mark));
}

/* The first byte of a name so long that libyaml no longer takes it for a key,
 * though it has a colon; `here` when there is none. */
static size_t find_long_key(const struct report *report)
{
    const char *text = report->source->text;
    size_t at = report->here;

    if (text[at] != ':') {
        return report->here;
    }
    while (at > 0 && strchr(" \t\n,:{}[]\"'", text[at - 1]) == NULL) {
        at--;
    }
    return report->here - at > YAML_KEY_BYTES ? at : report->here;
}

static void report_long_key(const struct report *report, size_t first)
{
    struct diagnostics *diagnostics = report->diagnostics;
    const struct mark mark = source_mark(report->source, first);
    const struct diagnostic *last =
        diagnostics->count == 0 ? NULL
                                : &diagnostics->item[diagnostics->count - 1];

    if (last != NULL && last->code == DIAGNOSTIC_LIMIT &&
        last->mark.line == mark.line && last->mark.column == mark.column) {
        return; /* in { } the name alone was a key already */
    }
    diagnostics_add(diagnostics, DIAGNOSTIC_LIMIT, report->source, mark, 1,
        "a key of more than %d bytes", YAML_KEY_BYTES);
    diagnostics_hint(diagnostics, "use a shorter name");
}

/* The first character of an expression in the text from `at` to `end` that
 * ended it too soon. NULL: there is none. */
static const char *expression_breaker(
    const struct source *source, size_t at, size_t end)
{
    for (; at + 1 < end; at++) {
        unsigned depth = 1;

        if (source->text[at] != '$' || source->text[at + 1] != '(') {
            continue;
        }
        for (at += 2; at < source->length && depth > 0; at++) {
            char byte = source->text[at];

            if (byte == '\n') {
                break;
            }
            if (memchr("[]{},:?#", byte, 8) != NULL) {
                return source->text + at;
            }
            depth += byte == '(';
            depth -= byte == ')';
        }
    }
    return NULL;
}

/* What breaks an expression is often why the rest of the line means nothing. */
static void note_expression(const struct report *report, size_t from)
{
    const struct source *source = report->source;
    struct mark line = source_mark(source, report->here);
    const char *breaker;

    breaker = expression_breaker(source, from, source->line_start[line.line]);
    if (breaker != NULL) {
        diagnostics_add(report->diagnostics, DIAGNOSTIC_NOTE, source,
            source_mark(source, (size_t)(breaker - source->text)), 1,
            "'%c' ends an expression", *breaker);
        diagnostics_hint_note(report->diagnostics, YAML_EXPRESSION_HINT);
    }
}

/* Unless the error itself is there. */
static void note_opener(
    const struct report *report, struct mark mark, const char *note)
{
    const struct diagnostics *diagnostics = report->diagnostics;
    const struct mark at = diagnostics->item[diagnostics->count - 1].mark;

    if (at.line != mark.line || at.column != mark.column) {
        diagnostics_add(report->diagnostics, DIAGNOSTIC_NOTE, report->source,
            mark, 1, "%s", note);
    }
}

/* What began where: the line of the expression, or the bracket around it. */
static void report_context(const struct report *report)
{
    const yaml_parser_t *parser = report->parser;
    struct mark mark = source_mark(report->source, report->here);
    size_t from = report->source->line_start[mark.line - 1];

    for (size_t i = 0;
         parser->context != NULL && i < sizeof(openers) / sizeof(openers[0]);
         i++) {
        if (strcmp(openers[i].text, parser->context) == 0) {
            mark = to_mark(report->source, parser->context_mark);
            note_opener(report, mark, openers[i].note);
            from = source_offset(report->source, mark);
        }
    }
    note_expression(report, from);
}

/* What the table does not have: by what was being read, else in libyaml's own
 * words. */
static void report_unknown(const struct report *report)
{
    static const struct {
        const char *context;
        enum diagnostic_code code;
        const char *message, *hint;
    } rows[] = {
        {" a tag", DIAGNOSTIC_TAG, "tags are not allowed",
            "a value's type comes from the field it stands in"},
        {" directive", DIAGNOSTIC_DOCUMENT, "directives are not allowed",
            "put a text that begins with % in quotes"},
    };
    const struct mark mark = source_mark(report->source, report->here);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (report->parser->context != NULL &&
            strstr(report->parser->context, rows[i].context) != NULL) {
            diagnostics_add(report->diagnostics, rows[i].code, report->source,
                mark, 1, "%s", rows[i].message);
            diagnostics_hint(report->diagnostics, "%s", rows[i].hint);
            return;
        }
    }
    diagnostics_add(report->diagnostics, DIAGNOSTIC_SYNTAX, report->source,
        mark, 1, "%s", report->parser->problem);
}

static void report_known(
    const struct report *report, const struct problem *problem)
{
    struct mark mark = source_mark(report->source, report->here);
    int value = report->parser->problem_value;

    if (problem->place == START) {
        mark = to_mark(report->source, report->parser->context_mark);
    }
    diagnostics_add(report->diagnostics, problem->code, report->source, mark, 1,
        "%s", problem->message);
    if (report->parser->error != YAML_READER_ERROR) {
        diagnostics_hint(report->diagnostics, "%s", problem->hint);
        return;
    }
    if (value < 0) {
        value = (unsigned char)report->source->text[report->here];
    }
    diagnostics_hint(report->diagnostics, "it is 0x%02X; %s", (unsigned)value,
        problem->hint);
}

/* Where libyaml stumbled, or where the thing begins that it was reading when
 * its end did not come. */
static struct mark line_of(const struct report *report)
{
    const struct problem *problem = problem_find(report);

    return problem != NULL && problem->place == START
               ? to_mark(report->source, report->parser->context_mark)
               : source_mark(report->source, report->here);
}

void yaml_problem_report(const yaml_parser_t *parser,
    const struct source *source, struct diagnostics *diagnostics)
{
    const struct report report = {
        parser, source, diagnostics, find_here(parser, source)};
    const struct problem *problem;
    size_t first = find_long_key(&report);

    assert(parser->error != YAML_MEMORY_ERROR);
    assert(parser->problem != NULL);
    if (first != report.here) {
        report_long_key(&report, first);
        return;
    }
    if (yaml_line_report(parser, source, line_of(&report), diagnostics)) {
        return;
    }
    problem = problem_find(&report);
    if (problem == NULL) {
        report_unknown(&report);
    } else {
        report_known(&report, problem);
    }
    if (parser->error != YAML_READER_ERROR) {
        report_context(&report);
    }
}
