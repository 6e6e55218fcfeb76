/* reserved_words.c - which words are C's, C++'s or the WDK's own, so that no
 * generated name may be one: reserved_words.def, searched by halves. */
#include "api/ctrpp/reserved_words.h"

#include <stdlib.h>
#include <string.h>

struct reserved_row {
    const char *word;
    enum reserved_word kind;
};

static const struct reserved_row rows[] = {
#define RESERVED_WORD(kind, word) {word, RESERVED_##kind},
#include "api/ctrpp/reserved_words.def"
};

static int compare(const void *left, const void *right)
{
    const struct reserved_row *a = left, *b = right;

    return strcmp(a->word, b->word);
}

enum reserved_word reserved_word_find(const char *word)
{
    const struct reserved_row key = {.word = word};
    const struct reserved_row *found = bsearch(
        &key, rows, sizeof(rows) / sizeof(rows[0]), sizeof(rows[0]), compare);

    return found == NULL ? RESERVED_NOT : found->kind;
}
