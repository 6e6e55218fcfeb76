/* keys.c - the mappings of the language and their keys: the rows of keys.def.
 */
#include "scenarios/runner/language/keys.h"

#include <string.h>

#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/value.h"
#include "sim/base/limits.h"

const struct key_row key_rows[] = {
#define KEY(mapping, key, presence, form, help)                                \
    {MAPPING_##mapping, key, presence, {FORM_##form}, help},
#include "scenarios/runner/language/keys.def"
};

const size_t key_row_count = sizeof(key_rows) / sizeof(key_rows[0]);

static const char *const mappings[] = {
#define MAPPING(name, ...) #name,
#include "scenarios/runner/language/keys.def"
};

static const char *const places[] = {
#define MAPPING(name, place) place,
#include "scenarios/runner/language/keys.def"
};

const char *mapping_place(enum mapping mapping)
{
    return places[mapping];
}

const char *mapping_name(enum mapping mapping)
{
    return mappings[mapping];
}

const struct key_row *key_find(enum mapping mapping, const char *key)
{
    for (size_t i = 0; i < key_row_count; i++) {
        if (key_rows[i].mapping == mapping &&
            strcmp(key_rows[i].key, key) == 0) {
            return &key_rows[i];
        }
    }
    return NULL;
}
