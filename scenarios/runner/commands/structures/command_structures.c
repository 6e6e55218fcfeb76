/* command_structures.c - ntpmu structures HEADER.h: what a scenario that names
 * the header has, written as a scenario without it would write it. */
#include "scenarios/runner/command_line/options.h"

#include <assert.h>
#include <stdio.h>
#include <talloc.h>

#include "scenarios/runner/headers/header_reading.h"
#include "scenarios/runner/headers/header_report.h"
#include "scenarios/runner/text/visible_text.h"

/* The compiler's own message for a file that is not there names no file. */
static const char *problem_of(const char *path)
{
    const char *problem = NULL;
    FILE *file = source_open(path, &problem);

    if (file != NULL) {
        fclose(file);
    }
    return problem;
}

static void read_header(
    void *context, const char *path, struct diagnostics *diagnostics)
{
    const char *problem = problem_of(path);
    struct header_reading reading;

    if (problem != NULL) {
        diagnostics_add_file(
            diagnostics, DIAGNOSTIC_UNREADABLE, path, "%s", problem);
        return;
    }
    reading = header_read(context, path);
    if (reading.failure != NULL) {
        diagnostics_add_file(
            diagnostics, DIAGNOSTIC_HEADER, path, "%s", reading.failure);
        diagnostics_hint(diagnostics, "%s", header_failure_hint);
    }
    header_report(context, &reading.problems, diagnostics);
    if (reading.structures != NULL) {
        fputs(reading.structures, stdout);
    }
}

enum exit_code command_structures(const struct options *options)
{
    void *context;
    struct diagnostics *diagnostics;
    bool right;

    if (options->path_count > 1) {
        fprintf(stderr, "ntpmu: one header at a time, not '%s' too\n",
            visible_name(options->path[1]));
        return EXIT_USAGE;
    }
    context = talloc_new(NULL);
    assert(context != NULL);
    diagnostics = diagnostics_new(context);
    read_header(context, options->path[0], diagnostics);
    diagnostics_print(diagnostics, stderr);
    right = diagnostics_errors(diagnostics) == 0;
    talloc_free(context);
    return right ? EXIT_OK : EXIT_INVALID;
}
