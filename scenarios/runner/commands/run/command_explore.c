/* command_explore.c - ntpmu explore: what was selected runs in many schedules.
 */
#include "scenarios/runner/command_line/options.h"

enum exit_code command_explore(const struct options *options)
{
    return command_run(options);
}
