/* list_output.h - instances as ntpmu list shows them, but for CTest. */
#ifndef RUNNER_COMMANDS_LIST_LIST_OUTPUT_H
#define RUNNER_COMMANDS_LIST_LIST_OUTPUT_H

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/text/json_out.h"

/* Its id; with `title` the scenario's title behind it. */
void list_text(const struct instance *instance, bool title, FILE *out);

/* An object of the array that is open. */
void list_json(const struct instance *instance, struct json_out *json);

/* The instances that `requires` left out, and what to exit with; `files` is
 * what the files alone decide. */
enum exit_code list_dropped(const struct suite *suite,
    const struct options *options, enum exit_code files);

#endif
