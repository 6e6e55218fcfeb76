/* counter_names.c - counter sets and counters by what scenarios call them: a
 * name comes before a symbol, and that before a uri. */
#include "scenarios/runner/counters/counter_names.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/text/wide_text.h"
#include "scenarios/runner/yaml/plain_word.h"

bool counter_names_equal(const char *one, const char *other)
{
    void *context = talloc_new(NULL);
    bool equal;

    assert(context != NULL);
    equal = pcw_text_equal(wide_text(context, one), wide_text(context, other));
    talloc_free(context);
    return equal;
}

const struct manifest_set *counter_names_registered(
    const struct manifest *manifest, const char *name)
{
    for (size_t i = 0; i < manifest->set_count; i++) {
        const struct manifest_set *set = &manifest->set[i];

        if (set->name != NULL && counter_names_equal(set->name, name)) {
            return set;
        }
    }
    return NULL;
}

enum pcw_instances counter_names_instances(
    const void *manifests, struct pcw_text name)
{
    const struct named_manifests *list = manifests;
    const struct manifest_set *set = NULL;
    char *utf8 = wide_text_utf8(NULL, name);

    for (size_t i = 0; i < list->count && set == NULL; i++) {
        set = counter_names_registered(list->item[i].manifest, utf8);
    }
    talloc_free(utf8);
    return set == NULL                         ? PCW_INSTANCES_UNKNOWN
           : set->instances == MANIFEST_SINGLE ? PCW_ONE_INSTANCE
                                               : PCW_MANY_INSTANCES;
}

const struct manifest_set *counter_names_symbol(
    const struct manifest *manifest, const char *symbol)
{
    for (size_t i = 0; i < manifest->set_count; i++) {
        const struct manifest_set *set = &manifest->set[i];

        if (set->symbol != NULL && strcmp(set->symbol, symbol) == 0) {
            return set;
        }
    }
    return NULL;
}

static const struct manifest_set *find_set(
    const struct named_manifests *manifests, const char *name,
    const struct manifest_set *(*find)(const struct manifest *, const char *))
{
    const struct manifest_set *found = NULL;

    for (size_t i = 0; i < manifests->count && found == NULL; i++) {
        found = find(manifests->item[i].manifest, name);
        manifests->item[i].used |= found != NULL;
    }
    return found;
}

const struct manifest_set *counter_names_set(
    const struct named_manifests *manifests, const char *name)
{
    const struct manifest_set *found =
        find_set(manifests, name, counter_names_registered);

    return found != NULL ? found
                         : find_set(manifests, name, counter_names_symbol);
}

enum counter_names_shared counter_names_share(
    const struct manifest_set *one, const struct manifest_set *other)
{
    if (one->name != NULL && other->name != NULL &&
        counter_names_equal(one->name, other->name)) {
        return COUNTER_NAMES_SHARE_NAME;
    }
    return memcmp(&one->guid, &other->guid, sizeof(one->guid)) == 0
               ? COUNTER_NAMES_SHARE_GUID
               : COUNTER_NAMES_APART;
}

const char *counter_names_call(const struct manifest_set *set)
{
    return set->name == NULL ? set->symbol : set->name;
}

/* The n-th thing that a counter can be called. */
static const char *call(const struct manifest_counter *counter, unsigned n)
{
    const char *const names[] = {counter->name, counter->symbol, counter->uri};

    return names[n];
}

enum { CALLED = 3 };

/* Ids that a word may mean, the first two. */
struct meant {
    uint32_t id[2];
    size_t count;
};

static void mean(struct meant *meant, uint32_t id)
{
    if (meant->count == 0 || (meant->count == 1 && meant->id[0] != id)) {
        meant->id[meant->count++] = id;
    }
}

/* Counters that are called so as their names, else as their symbols, else as
 * their uris; a number is also the counter with that id. */
static struct meant look_up(const struct manifest_set *set, const char *name)
{
    struct meant meant = {.count = 0};
    uint64_t number;

    for (unsigned n = 0; set != NULL && n < CALLED && meant.count == 0; n++) {
        for (size_t i = 0; i < set->counter_count; i++) {
            const char *called = call(&set->counter[i], n);

            if (called != NULL && strcmp(called, name) == 0) {
                mean(&meant, set->counter[i].id);
            }
        }
    }
    if (plain_word_number(name, &number) && number <= UINT16_MAX &&
        (meant.count == 0 ||
            manifest_counter_by_id(set, (uint32_t)number) != NULL)) {
        mean(&meant, (uint32_t)number);
    }
    return meant;
}

bool counter_names_find(
    const struct manifest_set *set, const char *name, uint32_t *id)
{
    const struct meant meant = look_up(set, name);

    if (meant.count == 1) {
        *id = meant.id[0];
    }
    return meant.count == 1;
}

bool counter_names_are_two(
    const struct manifest_set *set, const char *name, uint32_t id[2])
{
    const struct meant meant = look_up(set, name);

    memcpy(id, meant.id, sizeof(meant.id));
    return meant.count == 2;
}

const char *counter_names_of(const struct manifest_set *set, uint32_t id)
{
    const struct manifest_counter *counter =
        set == NULL ? NULL : manifest_counter_by_id(set, id);

    return counter == NULL         ? NULL
           : counter->name != NULL ? counter->name
                                   : counter->symbol;
}

void counter_names_suggest(
    struct suggestion *suggestion, const struct manifest_set *set)
{
    for (size_t i = 0; set != NULL && i < set->counter_count; i++) {
        for (unsigned n = 0; n < CALLED; n++) {
            const char *called = call(&set->counter[i], n);

            if (called != NULL) {
                suggest_offer(suggestion, called);
            }
        }
    }
}
