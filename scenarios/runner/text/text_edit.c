/* text_edit.c - changes to a text, collected as places and replacements, then
 * made in one go. */
#include "scenarios/runner/text/text_edit.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

struct text_edits *text_edits_new(
    void *context, const char *text, size_t length)
{
    struct text_edits *edits = talloc_zero(context, struct text_edits);

    assert(edits != NULL);
    edits->text = text;
    edits->length = length;
    return edits;
}

void text_edits_add(
    struct text_edits *edits, size_t offset, size_t length, const char *with)
{
    assert(offset + length <= edits->length);
    if (strlen(with) == length &&
        memcmp(edits->text + offset, with, length) == 0) {
        return;
    }
    if (edits->count > 0) {
        const struct text_edit *last = &edits->item[edits->count - 1];

        assert(last->offset + last->length <= offset);
    }
    if (edits->count == edits->capacity) {
        edits->capacity = edits->capacity == 0 ? 64 : 2 * edits->capacity;
        edits->item = talloc_realloc(
            edits, edits->item, struct text_edit, (unsigned)edits->capacity);
        assert(edits->item != NULL);
    }
    edits->item[edits->count++] =
        (struct text_edit){offset, length, talloc_strdup(edits, with)};
}

char *text_edits_apply(
    void *context, const struct text_edits *edits, size_t *length)
{
    size_t size = edits->length;
    size_t from = 0, to = 0;
    char *text;

    for (size_t i = 0; i < edits->count; i++) {
        size += strlen(edits->item[i].with);
        size -= edits->item[i].length;
    }
    text = talloc_array(context, char, (unsigned)size + 1);
    assert(text != NULL);
    for (size_t i = 0; i < edits->count; i++) {
        const struct text_edit *edit = &edits->item[i];
        size_t with = strlen(edit->with);

        memcpy(text + to, edits->text + from, edit->offset - from);
        to += edit->offset - from;
        memcpy(text + to, edit->with, with);
        to += with;
        from = edit->offset + edit->length;
    }
    memcpy(text + to, edits->text + from, edits->length - from);
    text[size] = '\0';
    *length = size;
    return text;
}
