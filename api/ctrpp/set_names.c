/* set_names.c - what is generated for a counter set is called: names of prefix,
 * verb and symbol, and free ones for parameters and tables of functions. */
#include "api/ctrpp/set_names.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/backcompat.h"
#include "api/ctrpp/reserved_words.h"

static const char *const usual[GENERATED_NAME_COUNT] = {
#define GENERATED_NAME(name, word) [GENERATED_##name] = word,
#include "api/ctrpp/generated_names.def"
};

static const char *const verbs[GENERATED_VERB_COUNT] = {
#define GENERATED_VERB(name, verb) [GENERATED_##name] = verb,
#include "api/ctrpp/generated_verbs.def"
};

/* What a set's functions call by name. */
struct taken {
    const struct manifest_set *set;
    const struct set_names *names;
    size_t blocks; /* that have their name */
};

/* Others than members and parameters may be called so. */
static bool is_reserved(const char *name)
{
    enum reserved_word kind = reserved_word_find(name);

    return kind != RESERVED_NOT && kind != RESERVED_INNER;
}

/* What the set's own functions call. */
static bool is_called(const struct set_names *names, const char *name)
{
    return strcmp(names->handle, name) == 0 ||
           strcmp(names->function[GENERATED_INIT], name) == 0;
}

static bool is_taken(const struct taken *taken, const char *name)
{
    const struct set_names *names = taken->names;

    if (name[0] == '\0' || is_reserved(name) || is_called(names, name)) {
        return true;
    }
    for (size_t i = 0; i < taken->set->structure_count; i++) {
        if (strcmp(taken->set->structure[i].type, name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < GENERATED_NAME_COUNT; i++) {
        if (names->local[i] != NULL && strcmp(names->local[i], name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < taken->blocks; i++) {
        if (strcmp(names->block[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* The wanted name, with as many underscores after it as it takes. */
static const char *free_name(
    void *context, const struct taken *taken, const char *wanted)
{
    char *name = talloc_strdup(context, wanted);

    assert(name != NULL);
    while (is_taken(taken, name)) {
        name = talloc_strdup_append_buffer(name, "_");
        assert(name != NULL);
    }
    return name;
}

/* Its parts, joined. */
static char *joined(void *context, const char *prefix, const char *verb,
    const char *symbol, const char *ending)
{
    char *name =
        talloc_asprintf(context, "%s%s%s%s", prefix, verb, symbol, ending);

    assert(name != NULL);
    return name;
}

char *guid_name_of(void *context, const char *prefix, const char *symbol)
{
    return joined(context, prefix, "", symbol, "Guid");
}

char *text_name_of(void *context, const char *prefix, const char *symbol)
{
    return joined(context, prefix, "", symbol, "Name");
}

struct set_names *set_names_of(void *context, const struct manifest_set *set,
    const struct ctrpp_settings *settings)
{
    struct set_names *names = talloc_zero(context, struct set_names);
    struct taken taken = {.set = set, .names = names};

    assert(names != NULL);
    names->handle = joined(names, settings->prefix, "", set->symbol, "");
    for (size_t i = 0; i < GENERATED_VERB_COUNT; i++) {
        names->function[i] =
            joined(names, settings->prefix, verbs[i], set->symbol, "");
    }
    names->routines = settings->backcompat ? BACKCOMPAT_PREFIX : "";
    names->block =
        talloc_zero_array(names, const char *, (unsigned)set->structure_count);
    assert(names->block != NULL);
    for (size_t i = 0; i < GENERATED_NAME_COUNT; i++) {
        names->local[i] = free_name(names, &taken, usual[i]);
    }
    while (taken.blocks < set->structure_count) {
        names->block[taken.blocks] =
            free_name(names, &taken, set->structure[taken.blocks].name);
        taken.blocks++;
    }
    return names;
}
