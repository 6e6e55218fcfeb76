/* written_instance.h - an instance as a scenario of its own: no cases, matrix,
 * parameters, defaults or fragments are left, and each value says where it is
 * from. */
#ifndef RUNNER_COMMANDS_EXPAND_WRITTEN_INSTANCE_H
#define RUNNER_COMMANDS_EXPAND_WRITTEN_INSTANCE_H

#include "scenarios/runner/scenario/instance.h"

/* The text, child of `context`. The instance is open. */
char *written_instance(void *context, const struct instance *instance);

#endif
