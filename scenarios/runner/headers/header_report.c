/* header_report.c - what libclang found wrong in a C header, reported as errors
 * in scenarios are. */
#include "scenarios/runner/headers/header_report.h"

enum { HEADER_FILE_BYTES = 1 << 22 };

const char header_failure_hint[] =
    "headers need Debian's package libclang1-19 (tools/setup run)";

static void report(void *context, const struct header_problem *problem,
    struct diagnostics *diagnostics)
{
    const char *why;
    const struct source *source =
        problem->line == 0
            ? NULL
            : source_from_file(context, problem->path, HEADER_FILE_BYTES, &why);

    if (source != NULL) {
        diagnostics_add(diagnostics, DIAGNOSTIC_HEADER, source,
            (struct mark){problem->line, problem->column}, 1, "%s",
            problem->message);
    } else {
        diagnostics_add_file(diagnostics, DIAGNOSTIC_HEADER, problem->path,
            "%s", problem->message);
    }
}

void header_report(void *context, const struct header_problems *problems,
    struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < problems->count; i++) {
        report(context, &problems->item[i], diagnostics);
    }
}
