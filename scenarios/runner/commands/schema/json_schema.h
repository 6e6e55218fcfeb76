/* json_schema.h - the language as a JSON Schema (draft-07), made of the tables
 * that the readers use. It says what one value may be, not how values fit
 * together: no file that the readers take is refused by it. */
#ifndef RUNNER_COMMANDS_SCHEMA_JSON_SCHEMA_H
#define RUNNER_COMMANDS_SCHEMA_JSON_SCHEMA_H

#include <stdio.h>

#include "scenarios/runner/language/requirements.h"

void json_schema_write(const struct requirements *requirements, FILE *out);

#endif
