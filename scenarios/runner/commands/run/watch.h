/* watch.h - waits until a file of scenarios, or a driver's image, changes. */
#ifndef RUNNER_COMMANDS_RUN_WATCH_H
#define RUNNER_COMMANDS_RUN_WATCH_H

#include <stdbool.h>

struct watch;

/* Child of `context`. NULL: the host lets nothing be watched; errno says why.
 */
struct watch *watch_new(void *context);

/* Watches a directory with all those below it, or the directory of a file.
 * Scenarios count, and images of drivers. False: see errno. */
bool watch_add(struct watch *watch, const char *path);

/* Whether something has changed since the watch was made, or since it was asked
 * the last time. */
bool watch_changed(struct watch *watch);

/* Returns when something has changed since the watch was made, and for a
 * moment nothing more has. False: see errno. */
bool watch_wait(struct watch *watch);

#endif
