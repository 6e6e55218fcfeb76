/* exit_code.h - what the program exits with; of several the first of 2 4 3 5 1
 * counts. */
#ifndef RUNNER_RUN_EXIT_CODE_H
#define RUNNER_RUN_EXIT_CODE_H

enum exit_code {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_INVALID = 3,
    EXIT_INTERNAL = 4,
    EXIT_NOTHING = 5,
    EXIT_SKIPPED = 77, /* everything that was selected; CTest's number */
};

#endif
