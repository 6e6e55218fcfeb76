/* layout_comment.c - comments as they are written in a file that is laid out.
 */
#include "scenarios/runner/layout/layout_comment.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

char *layout_comment_text(void *context, const char *comment, size_t length)
{
    char *text = talloc_strdup(context, "");

    while (length > 0 && strchr(" \t", comment[length - 1]) != NULL) {
        length--;
    }
    while (length > 0) {
        const char *tab = memchr(comment, '\t', length);
        size_t plain = tab == NULL ? length : (size_t)(tab - comment);

        text = talloc_strndup_append_buffer(text, comment, plain);
        text = talloc_strdup_append_buffer(text, tab == NULL ? "" : "  ");
        plain += tab != NULL;
        comment += plain;
        length -= plain;
    }
    assert(text != NULL);
    return text;
}

char *layout_comment_behind(void *context, const char *rest, size_t length)
{
    const char *comment = memchr(rest, '#', length);
    size_t blanks = 0;
    char *text;

    if (comment == NULL) {
        return talloc_strdup(context, "");
    }
    while (comment - blanks > rest && comment[-1 - (long)blanks] != ',') {
        blanks++;
    }
    text = layout_comment_text(
        context, comment, length - (size_t)(comment - rest));
    return talloc_asprintf(
        context, "%*s%s", blanks == 0 ? 1 : (int)blanks, "", text);
}
