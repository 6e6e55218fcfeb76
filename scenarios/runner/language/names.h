/* names.h - the names in the kernel's and the machine's lists, one by one, as
 * schema_name() takes them. */
#ifndef RUNNER_LANGUAGE_NAMES_H
#define RUNNER_LANGUAGE_NAMES_H

#include "scenarios/runner/language/schema.h"

schema_nth name_of_os, name_of_arch, name_of_model, name_of_mix, name_of_ring,
    name_of_pmu_event, name_of_routine, name_of_rule, name_of_bugcheck,
    name_of_leak, name_of_callable, name_of_callback_type,
    name_of_driver_action, name_of_sysreg, name_of_virtualized,
    name_of_explore_mode, name_of_register_access, name_of_user,
    name_of_access_right;

/* "x86, x64 and arm64": the architectures that sim/ has a PMU of, with `last`
 * before the last one. Child of `context`. */
char *names_of_pmu_arches(void *context, const char *last);

#endif
