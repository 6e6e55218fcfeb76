/* problem_report.c - a problem is shown like an error of a scenario file. */
#include "scenarios/runner/yaml/problem_report.h"

#include "scenarios/runner/text/terminal.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/diagnostics.h"

enum { PRINTED = 200 }; /* more of them help nobody */

static void print_problem(const struct manifest_problem *problem,
    const char *path, const struct source *source, FILE *out)
{
    const struct manifest_problem_row *row =
        &manifest_problem_rows[problem->code];
    struct mark mark = {problem->place.line, problem->place.column};
    bool error = row->severity == MANIFEST_ERROR;

    fprintf(out, "%s:%zu:%zu: %s%s[%s]%s: ", path, mark.line, mark.column,
        terminal_colour(out, error ? TERMINAL_BAD : TERMINAL_NEUTRAL),
        error ? "error" : "warning", row->code, terminal_plain(out));
    visible_text_print(problem->message, out);
    fputc('\n', out);
    if (source != NULL) {
        diagnostics_print_place(source, mark,
            problem->place.width == 0 ? 1 : problem->place.width, problem->hint,
            out);
    } else if (problem->hint != NULL) {
        fprintf(out, "      = %s\n", problem->hint);
    }
}

void problem_report(const struct manifest_problems *problems, const char *path,
    const struct source *source, FILE *out)
{
    size_t all = problems->count + problems->dropped;

    for (size_t i = 0; i < problems->count && i < (size_t)PRINTED; i++) {
        print_problem(&problems->item[i], path, source, out);
    }
    if (all > PRINTED) {
        fprintf(out, "and %zu problems more\n", all - PRINTED);
    }
}
