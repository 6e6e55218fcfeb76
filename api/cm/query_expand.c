/* query_expand.c - RtlQueryRegistryValues expands REG_EXPAND_SZ: %NAME% is what
 * the environment has for it, a block of NAME=value, each with a NUL behind it
 * and one more at the end. Without one there are no names. */
#include "api/cm/query_table.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "api/cm/open_key.h"
#include "api/core/kernel.h"
#include "api/mm/copy.h"
#include "api/text/character.h"

enum { EXPANDED_UNITS = 32767 }; /* as many as a counted string can have */

static const enum routine routine = ROUTINE_RtlQueryRegistryValues;

/* A string that is read, and the one that is made of it. */
struct expansion {
    const struct table_query *query;
    const struct query_data *data;
    size_t length; /* characters of data */
    WCHAR *made;
    size_t made_length;
    bool overflows;
};

static WCHAR unit_at(const struct expansion *e, size_t n)
{
    size_t before = n * sizeof(WCHAR);
    WCHAR unit;

    assert(n < e->length);
    if (e->data->stored != NULL) {
        memcpy(&unit, (const uint8_t *)e->data->stored + before, sizeof(unit));
    } else {
        copy_in(e->query->kernel, routine, &unit,
            (const void *)((uintptr_t)e->data->given + before), sizeof(unit));
    }
    return unit;
}

static WCHAR environment_at(const struct expansion *e, size_t n)
{
    WCHAR unit;

    copy_in(e->query->kernel, routine, &unit,
        (const WCHAR *)e->query->environment + n, sizeof(unit));
    return unit;
}

static void put(struct expansion *e, WCHAR unit)
{
    if (e->made_length == EXPANDED_UNITS) {
        e->overflows = true;
        return;
    }
    e->made[e->made_length++] = unit;
}

/* Where the name's value is, behind the = of its line. False: there is none. */
static bool find(
    const struct expansion *e, size_t name, size_t length, size_t *value)
{
    size_t at = 0;

    while (environment_at(e, at) != 0) {
        size_t same = 0;

        while (same < length && character_upper(environment_at(e, at + same)) ==
                                    character_upper(unit_at(e, name + same))) {
            same++;
        }
        if (same == length && environment_at(e, at + same) == '=') {
            *value = at + same + 1;
            return true;
        }
        while (environment_at(e, at) != 0) {
            at++;
        }
        at++;
    }
    return false;
}

/* Whether the string goes on there, with another character than this. */
static bool goes_on(const struct expansion *e, size_t n, WCHAR without)
{
    return n < e->length && unit_at(e, n) != 0 && unit_at(e, n) != without;
}

/* A percent sign: the next one ends a name, which stays as it is where it has
 * no value. Returns where to go on. */
static size_t expand_name(struct expansion *e, size_t at)
{
    size_t end = at + 1, value = 0;
    WCHAR unit;

    while (goes_on(e, end, '%')) {
        end++;
    }
    if (end == e->length || unit_at(e, end) == 0 || end == at + 1 ||
        e->query->environment == NULL ||
        !find(e, at + 1, end - at - 1, &value)) {
        put(e, '%');
        return at + 1;
    }
    while (!e->overflows && (unit = environment_at(e, value++)) != 0) {
        put(e, unit);
    }
    return end + 1;
}

NTSTATUS query_expand(const struct table_query *query, struct query_data *data)
{
    struct expansion e = {.query = query,
        .data = data,
        .length = data->size / sizeof(WCHAR),
        .made = key_path_of(query->kernel)->unit};

    for (size_t i = 0; i < e.length && !e.overflows;) {
        WCHAR unit = unit_at(&e, i);

        if (unit == 0) {
            break;
        }
        if (unit == '%') {
            i = expand_name(&e, i);
        } else {
            put(&e, unit);
            i++;
        }
    }
    if (e.overflows) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    e.made[e.made_length++] = 0;
    *data = (struct query_data){.type = REG_SZ,
        .size = e.made_length * sizeof(WCHAR),
        .stored = e.made};
    return STATUS_SUCCESS;
}
