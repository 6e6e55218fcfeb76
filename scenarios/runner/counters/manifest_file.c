/* manifest_file.c - a counter manifest that the command line names: its file
 * opened and read, and its problems shown like errors of scenario files. */
#include "scenarios/runner/counters/manifest_file.h"

#include <string.h>

#include "api/ctrpp/limits.h"
#include "api/ctrpp/manifest_text.h"
#include "scenarios/runner/text/terminal.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/diagnostics.h"

enum { PRINTED = 200 }; /* more of them help nobody */

static const char standard_input[] = "standard input is not read";

static void print_problem(const struct manifest_problem *problem,
    const char *path, const struct source *source, FILE *out)
{
    const struct manifest_problem_row *row =
        &manifest_problem_rows[problem->code];
    struct mark mark = {problem->place.line, problem->place.column};
    bool error = row->severity != MANIFEST_WARNING;

    fprintf(out, "%s:%zu:%zu: %s%s[%s]%s: ", visible_name(path), mark.line,
        mark.column,
        terminal_colour(out, error ? TERMINAL_BAD : TERMINAL_NEUTRAL),
        error ? "error" : "warning", row->code, terminal_plain(out));
    visible_text_print(problem->message, out);
    fputc('\n', out);
    if (source != NULL) {
        diagnostics_print_place(source, mark,
            problem->place.width == 0 ? 1 : problem->place.width, problem->hint,
            out);
    } else if (problem->hint != NULL) {
        fprintf(out, "      = %s\n", visible_name(problem->hint));
    }
}

void manifest_file_print_problems(const struct manifest_problems *problems,
    const char *path, const struct source *source, FILE *out)
{
    size_t all = problems->count + problems->dropped;

    for (size_t i = 0; i < problems->count && i < (size_t)PRINTED; i++) {
        print_problem(&problems->item[i], path, source, out);
    }
    if (all > PRINTED) {
        fprintf(out, "and %zu problem%s more\n", all - PRINTED,
            all - PRINTED == 1 ? "" : "s");
    }
}

static void refuse(void *context, struct manifest_file *file,
    const char *problem, FILE *errors)
{
    struct diagnostics *diagnostics = diagnostics_new(context);

    if (problem == source_too_large) {
        manifest_problem_add(file->problems, MANIFEST_PROBLEM_LIMIT,
            (struct manifest_place){1, 1, 1},
            "the file is larger than the limit of %d bytes",
            MANIFEST_MOST_BYTES);
        manifest_problem_hint(file->problems, "%s",
            manifest_limit_rows[MANIFEST_LIMIT_BYTES].hint);
        manifest_file_print_problems(file->problems, file->path, NULL, errors);
    } else {
        diagnostics_add_file(
            diagnostics, DIAGNOSTIC_UNREADABLE, file->path, "%s", problem);
        if (problem == standard_input) {
            diagnostics_hint(diagnostics,
                "name a file; one that is called - is written ./-");
        }
        diagnostics_print(diagnostics, errors);
    }
}

bool manifest_file_open(
    void *context, struct manifest_file *file, const char *path, FILE *errors)
{
    const char *problem = NULL;

    *file = (struct manifest_file){
        .path = path, .problems = manifest_problems_new(context)};
    if (strcmp(path, "-") == 0) {
        problem = standard_input;
    } else {
        file->source =
            source_from_file(context, path, MANIFEST_MOST_BYTES, &problem);
    }
    if (file->source == NULL) {
        refuse(context, file, problem, errors);
    }
    return file->source != NULL;
}

/* The text is for showing places and for -migrate, too. */
void manifest_file_read(void *context, struct manifest_file *file,
    const struct ctrpp_settings *settings, const struct rulings *rulings)
{
    size_t length;
    char *text = manifest_text(context, file->source->text,
        file->source->length, file->problems, &length);

    if (text != NULL) {
        file->text = source_from_text(context, file->path, text, length);
        file->manifest = manifest_parse(
            context, text, length, settings, rulings, file->problems);
    }
}

bool manifest_file_report(const struct manifest_file *file, FILE *errors)
{
    manifest_file_print_problems(
        file->problems, file->path, file->text, errors);
    return file->problems->errors == 0;
}
