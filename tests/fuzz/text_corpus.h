/* text_corpus.h - the texts that mutations begin with, in a fixed order. */
#ifndef TESTS_FUZZ_TEXT_CORPUS_H
#define TESTS_FUZZ_TEXT_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

struct text_corpus {
    const char *suffix;      /* of the files below a directory, such as .yaml */
    const char *const *word; /* to put into the texts */
    size_t words;
    char **path, **text; /* by path */
    size_t count;
};

/* Adds a file, or all that have the suffix below a directory. Returns false
 * after saying what cannot be read. */
bool text_corpus_add(struct text_corpus *corpus, const char *path);

/* Files by their paths' bytes, whatever the host's order was. */
void text_corpus_sort(struct text_corpus *corpus);

void text_corpus_release(struct text_corpus *corpus);

#endif
