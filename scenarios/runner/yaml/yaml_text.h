/* yaml_text.h - what is looked at in a file's bytes, because libyaml would take
 * it silently, too slowly, or for something else. Knows nothing of nodes. */
#ifndef RUNNER_YAML_YAML_TEXT_H
#define RUNNER_YAML_YAML_TEXT_H

#include <stdbool.h>

#include "scenarios/runner/yaml/diagnostics.h"
#include "scenarios/runner/yaml/source.h"

/* Reports an encoding other than UTF-8, a byte order mark, a line break that
 * nobody else knows, or a directive. Returns whether there was one. */
bool yaml_text_refuse(
    const struct source *source, struct diagnostics *diagnostics);

/* Reports what stands behind the end of the document, which is at `end`:
 * anything but blanks and comments. Returns whether there was something. */
bool yaml_text_refuse_rest(const struct source *source, struct mark end,
    struct diagnostics *diagnostics);

#endif
