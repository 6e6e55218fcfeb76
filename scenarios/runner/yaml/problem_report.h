/* problem_report.h - the problems of a manifest as text for people, in the form
 * of diagnostics.h. */
#ifndef RUNNER_YAML_PROBLEM_REPORT_H
#define RUNNER_YAML_PROBLEM_REPORT_H

#include <stdio.h>

#include "api/ctrpp/problems.h"
#include "scenarios/runner/yaml/source.h"

/* Writes them with their lines of `source`, the manifest's text; NULL: there is
 * no text to show. */
void problem_report(const struct manifest_problems *problems, const char *path,
    const struct source *source, FILE *out);

#endif
