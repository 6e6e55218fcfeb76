/* instance.h - a scenario on one of its machines, with an id of its own. */
#ifndef RUNNER_INSTANCE_H
#define RUNNER_INSTANCE_H

#include <stddef.h>

#include "scenarios/runner/scenario.h"

struct instance {
    const struct scenario *scenario;
    const char *id; /* hal.alloc.exclusive[os=WIN7,arch=x86] */
    struct machine_choice choice;
};

struct instances {
    struct instance *item;
    size_t count;
};

/* Adds one instance for each machine of the scenario, in order. */
void instances_add(
    struct instances *instances, const struct scenario *scenario);

#endif
