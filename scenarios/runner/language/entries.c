/* entries.c - the entries of an event buffer, found by the parameters of its
 * handler. */
#include "scenarios/runner/language/entries.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/guest_value.h"

struct variable *entries_variable(const struct scope *scope)
{
    const struct callback_row *row =
        &callback_rows
            [CALLBACK_PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER];

    return scope_variable(scope, row->parameter[0].name);
}

struct entries entries_of(
    const struct scope *scope, const struct variable *variable)
{
    size_t n = (size_t)(variable - scope->variables->item);
    struct entries entries = {
        .at = (const uint8_t *)(uintptr_t)scope_binding(scope, n)->value,
        .size = (size_t)scope_binding(scope, n + 1)->value,
        .count = (size_t)scope_binding(scope, n + 2)->value,
    };

    assert(variable->entries);
    if (entries.size < nt_type_row(variable->pointee)->size ||
        !guest_value_is_there(
            scope->kernel, entries.at, entries.size * entries.count)) {
        entries.at = NULL;
    }
    return entries;
}

uint8_t *entries_copy(
    void *context, const struct entries *entries, enum nt_type type)
{
    size_t size = nt_type_row(type)->size;
    uint8_t *copy = talloc_zero_size(
        context, size * (entries->count > 0 ? entries->count : 1));

    assert(copy != NULL && entries->at != NULL && size <= entries->size);
    for (size_t i = 0; i < entries->count; i++) {
        memcpy(copy + i * size, entries->at + i * entries->size, size);
    }
    return copy;
}
