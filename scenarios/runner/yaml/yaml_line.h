/* yaml_line.h - what of an error of libyaml's is plain from the lines alone: a
 * '- ' that is missing or has no blank, and keys in the wrong column. Knows
 * nothing of what the file means. */
#ifndef RUNNER_YAML_YAML_LINE_H
#define RUNNER_YAML_YAML_LINE_H

#include <stdbool.h>
#include <yaml.h>

#include "scenarios/runner/yaml/diagnostics.h"

/* Reports what the lines say of an error at that place, and returns whether
 * they say anything. */
bool yaml_line_report(const yaml_parser_t *parser, const struct source *source,
    struct mark here, struct diagnostics *diagnostics);

#endif
