/* list_output.h - instances as ntpmu list shows them, but for CTest. */
#ifndef RUNNER_LIST_OUTPUT_H
#define RUNNER_LIST_OUTPUT_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/json_out.h"
#include "scenarios/runner/options.h"
#include "scenarios/runner/suite.h"

/* Its id; with `title` the scenario's title behind it. */
void list_text(const struct instance *instance, bool title, FILE *out);

/* An object of the array that is open. */
void list_json(const struct instance *instance, struct json_out *json);

/* The instances that `requires` left out, and what to exit with; `files` is
 * what the files alone decide. */
enum exit_code list_dropped(const struct suite *suite,
    const struct options *options, enum exit_code files);

#endif
