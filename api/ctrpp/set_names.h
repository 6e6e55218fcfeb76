/* set_names.h - what the functions that are generated for one counter set call
 * their parameters and tables: never what they have to name besides, such as
 * the set's handle or a structure's type. */
#ifndef API_CTRPP_SET_NAMES_H
#define API_CTRPP_SET_NAMES_H

#include "api/ctrpp/generate.h"

enum generated_name {
#define GENERATED_NAME(name, word) GENERATED_##name,
#include "api/ctrpp/generated_names.def"
    GENERATED_NAME_COUNT
};

struct set_names {
    const char *prefix, *symbol; /* the handle is both */
    const char *routines; /* what stands before the names of Pcw routines */
    const char *local[GENERATED_NAME_COUNT];
    const char **block; /* the parameter for each structure: its name */
};

/* All is a child of `context`. */
struct set_names *set_names_of(void *context, const struct manifest_set *set,
    const struct ctrpp_settings *settings);

#endif
