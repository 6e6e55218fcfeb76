/* instance.h - a scenario with one row of its cases on one of its machines, and
 * with an id of its own. */
#ifndef RUNNER_SCENARIO_INSTANCE_H
#define RUNNER_SCENARIO_INSTANCE_H

#include <stddef.h>

#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/language/statics.h"

struct outline;
struct scenario;

struct instance {
    struct outline *outline;
    const char *id; /* hal.alloc.exclusive[os=WIN7,arch=x86] */
    struct statics statics;
    const struct node *machine; /* as it is for this instance; NULL: default */
    const struct node *skip, *xfail; /* that hold for it; NULL: none */
    bool native;                     /* runs a driver's machine code */
    bool parallel; /* has steps of several actors that interleave */
    const struct scenario *scenario; /* NULL until instance_open() */
};

struct instances {
    struct instance *item;
    size_t count;
};

/* Reads the scenario as this instance has it. Every error goes to
 * `diagnostics`; the scenario, a child of `context`, is valid when there is
 * none. */
const struct scenario *instance_read(void *context,
    const struct instance *instance, struct diagnostics *diagnostics);

/* The same for one that was found valid: a copy of the instance that has its
 * scenario. */
struct instance instance_open(void *context, const struct instance *instance);

#endif
