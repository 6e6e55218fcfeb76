/* call_site.h - a place in a driver's code that calls a routine which can fail:
 * as a word that can be copied, and for people. "ExAllocatePool2@a.sys+0x1012,
 * a.sys+0x1100" is a call of native code with who called its function, up to
 * four addresses in all: so a function that only wraps an allocation is as many
 * places as it has callers. "ExAllocatePool2@step:3" is an actor's. */
#ifndef RUNNER_FAILURES_CALL_SITE_H
#define RUNNER_FAILURES_CALL_SITE_H

#include "api/core/faults.h"

struct scenario;

enum {
    CALL_SITE_DEPTH = 4,
    CALL_SITE_NAME_BYTES = 512,
    CALL_SITE_BYTES = 1024
};

struct call_site {
    char name[CALL_SITE_NAME_BYTES]; /* nothing in it is a space */
    char place[CALL_SITE_BYTES];     /* with what the call comes to */
};

/* The call that runs. */
void call_site_make(struct call_site *site, struct kernel *kernel,
    const struct scenario *scenario, enum routine routine,
    const struct fault_way *way);

/* Whether it is the name of an actor's, and none of an image's. */
bool call_site_is_step(const char *name);

#endif
