/* list_output.h - instances as ntpmu list shows them, but for CTest. */
#ifndef RUNNER_LIST_OUTPUT_H
#define RUNNER_LIST_OUTPUT_H

#include "scenarios/runner/json_out.h"
#include "scenarios/runner/suite.h"

/* Its id; with `title` the scenario's title behind it. */
void list_text(const struct instance *instance, bool title, FILE *out);

/* An object of the array that is open. */
void list_json(const struct instance *instance, struct json_out *json);

/* The instances that `requires` left out, of the scenario or the instance with
 * this id; NULL: all. JSON where `json` is not NULL, an id a line else. */
void list_dropped(const struct suite *suite, const char *id,
    struct json_out *json, FILE *out);

#endif
