/* header_report.h - what is wrong with a header, as errors of files are shown.
 */
#ifndef RUNNER_HEADERS_HEADER_REPORT_H
#define RUNNER_HEADERS_HEADER_REPORT_H

#include "scenarios/runner/headers/header_unit.h"
#include "scenarios/runner/yaml/diagnostics.h"

/* What to do where nobody could read it. */
extern const char header_failure_hint[];

/* Adds each at its place, where the file can be shown; the files' texts are
 * children of `context`. */
void header_report(void *context, const struct header_problems *problems,
    struct diagnostics *diagnostics);

#endif
