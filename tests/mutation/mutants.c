/* mutants.c - the list, by place. */
#include "tests/mutation/mutants.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/mutants_add.h"

static const char *const kind_names[] = {
#define MUTANT_KIND(name, spelling) spelling,
#include "tests/mutation/mutant_kinds.def"
};

const char *mutant_kind_name(enum mutant_kind kind)
{
    assert(kind < MUTANT_KINDS);
    return kind_names[kind];
}

static size_t line_breaks(const char *text, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        count += text[i] == '\n';
    }
    return count;
}

void mutants_add(struct mutants *mutants, const struct tokens *tokens,
    size_t first, size_t last, enum mutant_kind kind, const char *after)
{
    const struct token *token = &tokens->item[first];
    size_t length =
        tokens->item[last].at + tokens->item[last].length - token->at;
    char *text = talloc_strdup(mutants, after);
    size_t breaks = line_breaks(tokens->text + token->at, length);

    /* __LINE__ of what follows stays the same, so that objects can be. */
    for (size_t had = line_breaks(after, strlen(after)); had < breaks; had++) {
        text = talloc_strdup_append(text, "\n");
    }
    if ((mutants->count & (mutants->count - 1)) == 0) { /* full */
        mutants->item = talloc_realloc(mutants, mutants->item, struct mutant,
            mutants->count == 0 ? 1 : 2 * (unsigned)mutants->count);
    }
    assert(mutants->item != NULL && text != NULL);
    mutants->item[mutants->count++] = (struct mutant){
        kind, token->at, length, text, token->line, token->column};
}

static int by_place(const void *left, const void *right)
{
    const struct mutant *a = left, *b = right;

    if (a->at != b->at) {
        return a->at < b->at ? -1 : 1;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return strcmp(a->after, b->after);
}

struct mutants *mutants_find(void *context, const char *text)
{
    struct mutants *mutants = talloc_zero(context, struct mutants);
    struct tokens *tokens = tokens_read(context, text);

    assert(mutants != NULL);
    mutants_add_operators(mutants, tokens);
    mutants_add_statements(mutants, tokens);
    talloc_free(tokens);
    if (mutants->count > 0) {
        qsort(mutants->item, mutants->count, sizeof(*mutants->item), by_place);
    }
    return mutants;
}

unsigned mutant_line(const char *text, size_t at)
{
    return 1 + (unsigned)line_breaks(text, at);
}

char *mutant_apply(void *context, const char *text, const struct mutant *mutant)
{
    return talloc_asprintf(context, "%.*s%s%s", (int)mutant->at, text,
        mutant->after, text + mutant->at + mutant->length);
}
