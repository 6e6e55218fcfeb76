/* counter_names.c - a name comes before a symbol, and that before a uri. */
#include "scenarios/runner/counter_names.h"

#include <string.h>
#include <strings.h>

const struct manifest_set *counter_names_set_in(
    const struct manifest *manifest, const char *name)
{
    for (size_t i = 0; i < manifest->set_count; i++) {
        const struct manifest_set *set = &manifest->set[i];

        if ((set->name != NULL && strcasecmp(set->name, name) == 0) ||
            (set->symbol != NULL && strcmp(set->symbol, name) == 0)) {
            return set;
        }
    }
    return NULL;
}

const struct manifest_set *counter_names_set(
    const struct scenario *scenario, const char *name)
{
    const struct manifest_set *found = NULL;

    for (size_t i = 0; i < scenario->manifest_count && found == NULL; i++) {
        found = counter_names_set_in(scenario->manifest[i].manifest, name);
        scenario->manifest[i].used |= found != NULL;
    }
    return found;
}

/* The n-th thing that a counter can be called. */
static const char *call(const struct manifest_counter *counter, unsigned n)
{
    const char *const names[] = {counter->name, counter->symbol, counter->uri};

    return names[n];
}

enum { CALLED = 3 };

bool counter_names_find(
    const struct manifest_set *set, const char *name, uint32_t *id)
{
    uint64_t number;

    for (unsigned n = 0; set != NULL && n < CALLED; n++) {
        for (size_t i = 0; i < set->counter_count; i++) {
            const char *called = call(&set->counter[i], n);

            if (called != NULL && strcmp(called, name) == 0) {
                *id = set->counter[i].id;
                return true;
            }
        }
    }
    if (!schema_parse_number(name, &number) || number > UINT16_MAX) {
        return false;
    }
    *id = (uint32_t)number;
    return true;
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
