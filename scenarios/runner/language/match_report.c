/* match_report.c - a difference as text for people. */
#include "scenarios/runner/language/match_report.h"

#include <talloc.h>

#include "api/core/kernel.h"
#include "api/core/show.h"
#include "scenarios/runner/language/value.h"

char *match_show(struct match *match, const struct actual *actual)
{
    const struct nt_type_row *row = nt_type_row(actual->type);
    size_t element = row->size;
    size_t most = row->kind == NT_KIND_STRUCT ? 4 : 16;
    char *text = talloc_strdup(match->context, actual->array ? "[" : "");
    char one[SHOW_VALUE_BYTES];

    for (size_t i = 0; i < actual->count && i < most; i++) {
        show_value(kernel_current(), actual->type, actual->at + i * element,
            one, sizeof(one));
        text = talloc_asprintf_append_buffer(
            text, "%s%s", i == 0 ? "" : ", ", one);
    }
    if (actual->count > most) {
        text = talloc_asprintf_append_buffer(
            text, ", ... %zu in all", actual->count);
    }
    return talloc_strdup_append_buffer(text, actual->array ? "]" : "");
}

/* The expectation as it is written; of a variable also its value. */
static char *show_expected(
    struct match *match, const struct node *node, const struct actual *actual)
{
    char *text = node_show(match->context, node);
    enum nt_kind kind = nt_type_row(actual->type)->kind;
    char value[SHOW_VALUE_BYTES];
    uint8_t bytes[8];
    uint64_t number;

    if (node->kind != NODE_SCALAR || node->quoted || node->text[0] != '$' ||
        kind == NT_KIND_STRUCT ||
        !value_scalar(match->scope, node, actual->type, &number)) {
        return text;
    }
    nt_store(bytes, sizeof(bytes), number);
    show_value(kernel_current(), actual->type, bytes, value, sizeof(value));
    return talloc_asprintf_append_buffer(text, " (%s)", value);
}

bool match_differ(
    struct match *match, const struct node *node, const struct actual *actual)
{
    if (match->report == NULL) {
        match->place = node;
        match->where = match->path;
        match->report =
            talloc_asprintf(match->context, "expected %s, actual %s",
                show_expected(match, node, actual), match_show(match, actual));
    }
    return false;
}
