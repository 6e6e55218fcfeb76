/* command_replay.c - ntpmu replay: an instance in one schedule, that of
 * --schedule. */
#include <stdio.h>

#include "scenarios/runner/command_line/options.h"

enum exit_code command_replay(const struct options *options)
{
    if (options->schedule == NULL) {
        fputs("ntpmu: replay needs --schedule\n"
              "       ntpmu explore prints one where it finds a failure\n",
            stderr);
        return EXIT_USAGE;
    }
    return command_run(options);
}
