/* yaml_problem.h - why libyaml does not go on, in our words and with what to do
 * instead. Knows nothing of nodes. */
#ifndef RUNNER_YAML_YAML_PROBLEM_H
#define RUNNER_YAML_YAML_PROBLEM_H

#include <yaml.h>

#include "scenarios/runner/yaml/diagnostics.h"

/* What stands in the way of an expression, wherever YAML sees it first. */
#define YAML_EXPRESSION_HINT "an expression must not contain [ ] { } , : ? #"

/* A key has at most so many bytes; libyaml's own limit is 1024. */
enum { YAML_KEY_BYTES = 128 };

/* Reports the error of a parser that has failed on the source. */
void yaml_problem_report(const yaml_parser_t *parser,
    const struct source *source, struct diagnostics *diagnostics);

#endif
