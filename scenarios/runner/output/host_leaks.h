/* host_leaks.h - memory of the host that a process has not given back, which a
 * program that is built with a sanitizer of leaks can tell. */
#ifndef RUNNER_OUTPUT_HOST_LEAKS_H
#define RUNNER_OUTPUT_HOST_LEAKS_H

#include <stdbool.h>

/* Whether it is such a program. */
bool host_leaks_are_sought(void);

/* Says on standard error what nothing leads to any more, if there is something.
 * Only in such a program. */
void host_leaks_say(void);

#endif
