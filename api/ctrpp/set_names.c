/* set_names.c - parameters and tables of generated functions get names that are
 * free. */
#include "api/ctrpp/set_names.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/backcompat.h"

static const char *const usual[GENERATED_NAME_COUNT] = {
#define GENERATED_NAME(name, word) [GENERATED_##name] = word,
#include "api/ctrpp/generated_names.def"
};

static const char *const reserved[] = {
#define RESERVED_WORD(word) word,
#include "api/ctrpp/reserved_words.def"
};

/* What a set's functions call by name. */
struct taken {
    const struct manifest_set *set;
    const struct set_names *names;
    size_t blocks; /* that have their name */
};

static bool is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
        if (strcmp(reserved[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word_character(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

/* Whether `name` is a word of a type such as `struct block`. */
static bool is_word_of(const char *type, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strstr(type, name); at != NULL;
         at = strstr(at + 1, name)) {
        if ((at == type || !is_word_character(at[-1])) &&
            !is_word_character(at[length])) {
            return true;
        }
    }
    return false;
}

/* Prefix, verb and symbol, where the verb of a handle is "". */
static bool is_function(const struct set_names *names, const char *name)
{
    static const char *const verb[] = {"", "InitRegistrationInformation"};
    size_t prefix = strlen(names->prefix);

    for (size_t i = 0; i < sizeof(verb) / sizeof(verb[0]); i++) {
        size_t length = strlen(verb[i]);

        if (strncmp(name, names->prefix, prefix) == 0 &&
            strncmp(name + prefix, verb[i], length) == 0 &&
            strcmp(name + prefix + length, names->symbol) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_taken(const struct taken *taken, const char *name)
{
    const struct set_names *names = taken->names;

    if (name[0] == '\0' || is_reserved(name) || is_function(names, name)) {
        return true;
    }
    for (size_t i = 0; i < taken->set->structure_count; i++) {
        if (is_word_of(taken->set->structure[i].type, name)) {
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

struct set_names *set_names_of(void *context, const struct manifest_set *set,
    const struct ctrpp_settings *settings)
{
    struct set_names *names = talloc_zero(context, struct set_names);
    struct taken taken = {.set = set, .names = names};

    assert(names != NULL);
    names->prefix = settings->prefix;
    names->routines = settings->backcompat ? BACKCOMPAT_PREFIX : "";
    names->symbol = set->symbol;
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
