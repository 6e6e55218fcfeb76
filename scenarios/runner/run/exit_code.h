/* exit_code.h - what the program exits with, by name. */
#ifndef RUNNER_RUN_EXIT_CODE_H
#define RUNNER_RUN_EXIT_CODE_H

enum exit_code {
#define EXIT_CODE(name, code) EXIT_##name = (code),
#include "scenarios/runner/run/exit_codes.def"
};

#endif
