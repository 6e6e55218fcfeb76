/* choices.c - hints of what could be written instead: the nearest name, a list
 * of names, or the words of a kind of value. */
#include "api/ctrpp/choices.h"

#include <assert.h>
#include <talloc.h>

void choices_hint(struct manifest_problems *problems,
    const struct suggestion *suggestion, const char *none)
{
    char *list;

    if (suggestion->count == 0) {
        manifest_problem_hint(problems, "%s", none);
        return;
    }
    if (suggestion->nearest != NULL) {
        manifest_problem_hint(
            problems, "did you mean '%s'?", suggestion->nearest);
        return;
    }
    list = talloc_strdup(problems, "");
    for (size_t i = 0; i < suggestion->count && i < (size_t)SUGGEST_LISTED;
         i++) {
        list = talloc_asprintf_append_buffer(
            list, "%s%s", i == 0 ? "" : ", ", suggestion->offered[i]);
    }
    manifest_problem_hint(problems, "write one of: %s%s", list,
        suggestion->count > SUGGEST_LISTED ? " and others" : "");
}

char *choices_of(void *context, enum value_kind kind)
{
    char *list = talloc_strdup(context, "");
    size_t left = 0;

    assert(list != NULL);
    for (size_t i = 0; i < word_row_count; i++) {
        left += word_rows[i].kind == kind;
    }
    if (left == 0) {
        return talloc_strdup_append(list, "\"...\"");
    }
    for (size_t i = 0; i < word_row_count; i++) {
        if (word_rows[i].kind == kind) {
            left--;
            list = talloc_asprintf_append(list, "\"%s\"%s", word_rows[i].word,
                left == 0   ? ""
                : left == 1 ? " or "
                            : ", ");
        }
    }
    return list;
}
