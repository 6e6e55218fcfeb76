/* header_names.c - the check of names that generated headers would define:
 * words of C, and names that are there twice. All are collected, then sorted:
 * equal ones are side by side. */
#include "api/ctrpp/header_names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/guid_text.h"
#include "api/ctrpp/reserved_words.h"
#include "api/ctrpp/set_names.h"

enum name_kind {
#define HEADER_NAME(name, ...) KIND_##name,
#include "api/ctrpp/header_names.def"
};

enum name_header { IN_CODE, IN_SYMBOLS, IN_EACH };
enum name_role { ROLE_ORDINARY, ROLE_MACRO, ROLE_TYPE, ROLE_INNER, ROLES };

static const struct {
    const char *what;
    enum name_role role;
    enum name_header header;
} kinds[] = {
#define HEADER_NAME(name, what, role, header)                                  \
    [KIND_##name] = {what, ROLE_##role, IN_##header},
#include "api/ctrpp/header_names.def"
};

struct header_name {
    const char *name;
    enum name_kind kind;
    struct manifest_place place;
    const struct header_name *other; /* with which it cannot share its name */
};

struct header_names {
    struct header_name *item; /* in the manifest's order */
    size_t count;
    const struct ctrpp_settings *settings;
    struct manifest_problems *problems;
};

static void add(struct header_names *names, const char *name,
    enum name_kind kind, struct manifest_place place)
{
    if (names->count == talloc_array_length(names->item)) {
        names->item = talloc_realloc(names, names->item, struct header_name,
            (unsigned)names->count * 2 + 64);
        assert(names->item != NULL);
    }
    names->item[names->count++] =
        (struct header_name){.name = name, .kind = kind, .place = place};
}

/* What -ch defines of the set, and what of the other header its macros would
 * change. */
static void add_symbols(struct header_names *names,
    const struct manifest_set *set, const struct set_names *set_names)
{
    const char *prefix = names->settings->prefix;

    add(names, guid_name_of(names, prefix, set->symbol), KIND_GUID,
        set->symbol_place);
    add(names, text_name_of(names, prefix, set->symbol), KIND_TEXT,
        set->symbol_place);
    for (size_t i = 0; i < GENERATED_NAME_COUNT; i++) {
        add(names, set_names->local[i], KIND_PARAMETER, set->place);
    }
    for (size_t i = 0; i < set->structure_count; i++) {
        add(names, set_names->block[i], KIND_PARAMETER,
            set->structure[i].place);
    }
    for (size_t i = 0; i < set->counter_count; i++) {
        const struct manifest_counter *counter = &set->counter[i];

        if (counter->symbol != NULL && counter->symbol[0] != '\0') {
            add(names, counter->symbol, KIND_ID, counter->symbol_place);
        }
    }
}

/* Whether all that its names are made of is there: what is missing has been
 * reported. */
static bool is_whole(const struct manifest_set *set)
{
    bool whole = set->symbol != NULL && set->symbol[0] != '\0';

    for (size_t i = 0; i < set->structure_count; i++) {
        whole &=
            set->structure[i].name != NULL && set->structure[i].type != NULL;
    }
    return whole;
}

static void add_set(struct header_names *names, const struct manifest_set *set)
{
    const struct set_names *set_names;

    if (!is_whole(set)) {
        return;
    }
    set_names = set_names_of(names, set, names->settings);
    add(names, set_names->handle, KIND_HANDLE, set->symbol_place);
    for (size_t i = 0; i < GENERATED_VERB_COUNT; i++) {
        add(names, set_names->function[i], KIND_FUNCTION, set->symbol_place);
    }
    for (size_t i = 0; i < set->structure_count; i++) {
        add(names, set->structure[i].type, KIND_TYPE,
            set->structure[i].type_place);
    }
    for (size_t i = 0; i < set->counter_count; i++) {
        if (set->counter[i].field != NULL) {
            add(names, set->counter[i].field, KIND_FIELD,
                set->counter[i].field_place);
        }
    }
    if (names->settings->symbols) {
        add_symbols(names, set, set_names);
    }
}

static void collect(struct header_names *names, const struct manifest *manifest)
{
    const char *prefix = names->settings->prefix;

    add(names, guid_guard_of(names, &manifest->guid, prefix, "HEADER"),
        KIND_GUARD, manifest->place);
    if (names->settings->symbols) {
        add(names, guid_guard_of(names, &manifest->guid, prefix, "SYMBOLS"),
            KIND_GUARD, manifest->place);
    }
    if (names->settings->symbols && manifest->symbol != NULL &&
        manifest->symbol[0] != '\0') {
        add(names, guid_name_of(names, prefix, manifest->symbol), KIND_GUID,
            manifest->symbol_place);
    }
    for (size_t i = 0; i < manifest->set_count; i++) {
        add_set(names, &manifest->set[i]);
    }
}

static bool is_defined(const struct header_name *name)
{
    return kinds[name->kind].role == ROLE_ORDINARY ||
           kinds[name->kind].role == ROLE_MACRO;
}

/* Of names that are equal: each that a header defines gives way to the first
 * that one does, and that to what is not generated. */
static void settle(struct header_name **name, size_t count)
{
    const struct header_name *first[ROLES] = {NULL}, *defined = NULL;

    for (size_t i = 0; i < count; i++) {
        enum name_role role = kinds[name[i]->kind].role;

        first[role] = first[role] == NULL ? name[i] : first[role];
        defined = defined == NULL && is_defined(name[i]) ? name[i] : defined;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_defined(name[i])) {
            continue;
        }
        if (name[i] != defined) {
            name[i]->other = defined;
        } else if (first[ROLE_TYPE] != NULL) {
            name[i]->other = first[ROLE_TYPE];
        } else if (kinds[name[i]->kind].role == ROLE_MACRO) {
            name[i]->other = first[ROLE_INNER];
        }
    }
}

static int compare(const void *left, const void *right)
{
    const struct header_name *a = *(const struct header_name *const *)left;
    const struct header_name *b = *(const struct header_name *const *)right;
    int order = strcmp(a->name, b->name);

    return order == 0 ? (a > b) - (a < b) : order;
}

static void settle_all(struct header_names *names)
{
    struct header_name **sorted =
        talloc_array(names, struct header_name *, (unsigned)names->count);
    size_t begin = 0;

    assert(sorted != NULL);
    for (size_t i = 0; i < names->count; i++) {
        sorted[i] = &names->item[i];
    }
    qsort(sorted, names->count, sizeof(sorted[0]), compare);
    for (size_t i = 1; i <= names->count; i++) {
        if (i == names->count ||
            strcmp(sorted[i]->name, sorted[begin]->name) != 0) {
            settle(sorted + begin, i - begin);
            begin = i;
        }
    }
}

/* Who has the word already; NULL: none that matters. */
static const char *owner_of(const struct header_name *name)
{
    enum name_role role = kinds[name->kind].role;

    switch (reserved_word_find(name->name)) {
    case RESERVED_NOT:
        break;
    case RESERVED_C:
        return "a word of C";
    case RESERVED_MACRO:
        return "a macro of what the header includes, or of its own";
    case RESERVED_CPP:
        return is_defined(name) ? "a word of C++" : NULL;
    case RESERVED_NAME:
        return is_defined(name) ? "a name that the header has besides" : NULL;
    case RESERVED_INNER:
        return role == ROLE_MACRO ? "a name that the headers have besides"
                                  : NULL;
    }
    return NULL;
}

/* A prefix stands before all that is generated, but not before the ids of
 * counters, so that it keeps no two apart. */
static void add_hint(
    const struct header_names *names, const struct header_name *name)
{
    const char *prefix = names->settings->prefix;

    if (name->kind == KIND_TYPE || name->kind == KIND_FIELD) {
        manifest_problem_hint(names->problems,
            "give it another name, here and where the driver defines it");
    } else if (name->kind == KIND_ID ||
               (name->other != NULL && is_defined(name->other) &&
                   name->other->kind != KIND_ID)) {
        manifest_problem_hint(names->problems, "choose another symbol");
    } else {
        manifest_problem_hint(names->problems,
            "choose another symbol, or %s -prefix",
            prefix[0] == '\0' ? "a" : "another");
    }
}

/* Nobody has to include both headers: who wants the symbols may be no driver.
 */
static enum manifest_problem_code problem_of(const struct header_name *name)
{
    enum name_header header = kinds[name->kind].header;
    enum reserved_word word = reserved_word_find(name->name);
    bool apart = name->other == NULL
                     ? header == IN_SYMBOLS
                     : header != kinds[name->other->kind].header &&
                           header != IN_EACH &&
                           kinds[name->other->kind].header != IN_EACH;

    return apart && word != RESERVED_C && word != RESERVED_CPP
               ? MANIFEST_PROBLEM_NAME_SHARED
               : MANIFEST_PROBLEM_NAME_TAKEN;
}

static void report(
    const struct header_names *names, const struct header_name *name)
{
    const char *what = kinds[name->kind].what;
    const char *owner = owner_of(name);

    if (owner != NULL) {
        manifest_problem_add(names->problems, problem_of(name), name->place,
            "%s is called '%.80s', which is %s", what, name->name, owner);
        add_hint(names, name);
    } else if (name->other != NULL) {
        manifest_problem_add(names->problems, problem_of(name), name->place,
            "%s is called '%.80s', as is %s at %u:%u", what, name->name,
            kinds[name->other->kind].what, (unsigned)name->other->place.line,
            (unsigned)name->other->place.column);
        add_hint(names, name);
    }
}

void header_names_check(const struct manifest *manifest,
    const struct ctrpp_settings *settings, struct manifest_problems *problems)
{
    struct header_names *names = talloc_zero(NULL, struct header_names);

    assert(names != NULL && manifest->kernel_mode);
    names->settings = settings;
    names->problems = problems;
    collect(names, manifest);
    settle_all(names);
    for (size_t i = 0; i < names->count; i++) {
        report(names, &names->item[i]);
    }
    talloc_free(names);
}
