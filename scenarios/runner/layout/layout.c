/* layout.c - lays out the text of a YAML file: gone over until it stands, with
 * the proof that nothing was lost by it. */
#include "scenarios/runner/layout/layout.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/layout/layout_gaps.h"

enum { PASSES = 8 }; /* the second one finds nothing to do, but in odd files */

/* A copy whose lines end in LF; a CR has its LF, which the reader checked. */
static char *end_lines(void *context, const struct source *source, size_t *used)
{
    char *text = talloc_array(context, char, (unsigned)source->length + 1);

    assert(text != NULL);
    *used = 0;
    for (size_t i = 0; i < source->length; i++) {
        if (source->text[i] != '\r') {
            text[(*used)++] = source->text[i];
        }
    }
    text[*used] = '\0';
    return text;
}

/* The next byte that is no layout; the end when there is none. */
static size_t next_byte(const char *text, size_t length, size_t at)
{
    while (at < length && strchr(" \t\r\n,", text[at]) != NULL) {
        at++;
    }
    return at;
}

/* Whether the texts differ in nothing but blanks, line ends and commas. */
static bool same_bytes(const struct source *one, const struct source *other)
{
    size_t a = next_byte(one->text, one->length, 0);
    size_t b = next_byte(other->text, other->length, 0);

    while (a < one->length && b < other->length) {
        if (one->text[a] != other->text[b]) {
            return false;
        }
        a = next_byte(one->text, one->length, a + 1);
        b = next_byte(other->text, other->length, b + 1);
    }
    return a == one->length && b == other->length;
}

static bool same_tree(
    void *context, const struct source *source, const struct node *root)
{
    struct diagnostics *diagnostics = diagnostics_new(context);
    const struct node *again = yaml_tree_read(context, source, diagnostics);

    return again != NULL && diagnostics_errors(diagnostics) == 0 &&
           node_equal(again, root);
}

/* One more pass. NULL: libyaml does not read the text; the same text: it is
 * laid out. */
static char *pass(void *context, char *text, size_t *length)
{
    struct layout_tokens *tokens = layout_tokens_scan(context, text, *length);
    struct text_edits *edits = text_edits_new(context, text, *length);

    if (tokens == NULL) {
        return NULL;
    }
    layout_tokens_mark_tables(tokens);
    layout_gaps_edit(edits, tokens);
    if (edits->count > 0) {
        text = text_edits_apply(context, edits, length);
    }
    talloc_free(edits);
    talloc_free(tokens);
    return text;
}

struct source *layout_source(
    void *context, const struct source *source, const struct node *root)
{
    void *memory = talloc_new(context);
    struct source *made = NULL;
    size_t length;
    char *text = end_lines(memory, source, &length);
    char *before = NULL;

    for (unsigned i = 0; i < PASSES && text != before && text != NULL; i++) {
        before = text;
        text = pass(memory, before, &length);
    }
    if (text != NULL && text == before) {
        made = source_from_text(context, source->path, text, length);
        made->text = talloc_strndup(made, text, length);
        assert(made->text != NULL);
    }
    if (made != NULL &&
        (!same_bytes(source, made) || !same_tree(memory, made, root))) {
        talloc_free(made);
        made = NULL;
    }
    talloc_free(memory);
    return made;
}
