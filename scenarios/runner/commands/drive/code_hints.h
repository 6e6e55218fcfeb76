/* code_hints.h - control codes that a driver's file seems to know, found by a
 * process that is confined as those are that run it. */
#ifndef RUNNER_COMMANDS_DRIVE_CODE_HINTS_H
#define RUNNER_COMMANDS_DRIVE_CODE_HINTS_H

#include "api/image/control_codes.h"
#include "scenarios/runner/run/driver_files.h"

/* How many there are; 0 also where the process came to nothing. Names are as
 * the file has them: they are to be made visible. */
size_t code_hints_find(const struct driver_file *file,
    struct control_code code[CONTROL_CODES_MAX]);

#endif
