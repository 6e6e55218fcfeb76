/* set_names.h - what is generated for one counter set is called: its handle and
 * functions, and their parameters and tables, which are never called what the
 * functions have to name besides, such as the handle or a structure's type. */
#ifndef API_CTRPP_SET_NAMES_H
#define API_CTRPP_SET_NAMES_H

#include "api/ctrpp/generate.h"

enum generated_name {
#define GENERATED_NAME(name, word) GENERATED_##name,
#include "api/ctrpp/generated_names.def"
    GENERATED_NAME_COUNT
};

enum generated_verb {
#define GENERATED_VERB(name, verb) GENERATED_##name,
#include "api/ctrpp/generated_verbs.def"
    GENERATED_VERB_COUNT
};

struct set_names {
    const char *handle;
    const char *function[GENERATED_VERB_COUNT];
    const char *routines; /* what stands before the names of Pcw routines */
    const char *local[GENERATED_NAME_COUNT];
    const char **block; /* the parameter for each structure: its name */
};

/* All is a child of `context`. */
struct set_names *set_names_of(void *context, const struct manifest_set *set,
    const struct ctrpp_settings *settings);

/* What -ch calls the GUID of a counter set or provider, and the name of a
 * counter set. Children of `context`. */
char *guid_name_of(void *context, const char *prefix, const char *symbol);
char *text_name_of(void *context, const char *prefix, const char *symbol);

#endif
