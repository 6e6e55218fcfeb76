/* match_list.c - element by element. */
#include "scenarios/runner/language/match_list.h"

#include <talloc.h>

#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/match_report.h"
#include "scenarios/runner/language/value.h"

static bool has_length(
    struct match *match, const struct node *node, const struct actual *actual)
{
    size_t length;

    return value_length(match->scope, node, &length) && length == actual->count;
}

/* Every element of a list; the lengths are equal. */
static bool match_elements(
    struct match *match, const struct node *node, const struct actual *actual)
{
    size_t element = nt_type_row(actual->type)->size;
    bool in_repeat = match->scope->in_repeat;
    uint64_t repeat_index = match->scope->repeat_index;
    const char *path = match->path;
    bool right = true;
    size_t length;

    if (!actual->array) {
        scope_error(match->scope, DIAGNOSTIC_WRONG_TYPE, node,
            "expected one value, not a list");
        return false;
    }
    if (!value_length(match->scope, node, &length)) {
        return false;
    }
    if (!scope_checks(match->scope) && length != actual->count) {
        return match_differ(match, node, actual);
    }
    for (size_t i = 0; i < length; i++) {
        const struct actual one = {.type = actual->type,
            .at = actual->at == NULL ? NULL : actual->at + i * element,
            .count = 1,
            .block = actual->block,
            .block_size = element,
            .before =
                actual->before == NULL ? NULL : actual->before + i * element};

        if (!scope_checks(match->scope)) {
            match->path = talloc_asprintf(
                match->context, "%s[%zu]", path == NULL ? "" : path, i);
        }
        right &= match_values(match, value_item(match->scope, node, i), &one);
    }
    match->path = path;
    value_list_end(match->scope, node);
    /* $i is the outer repeat's again. */
    match->scope->in_repeat = in_repeat;
    match->scope->repeat_index = repeat_index;
    return right;
}

bool match_list(
    struct match *match, const struct node *node, const struct actual *actual)
{
    struct literals *literals = match->literals;
    bool right;

    if (literals == NULL) {
        return match_elements(match, node, actual);
    }
    if (literal_is_list(node, actual)) {
        match->literals = NULL;
        right = match_elements(match, node, actual);
        match->literals = literals;
        literals_note_list(literals, node, actual, match->scope->arch, right);
        return right;
    }
    right = match_elements(match, node, actual);
    if (!right && !has_length(match, node, actual)) {
        literals_note(literals, node, false, NULL);
    }
    return right;
}
