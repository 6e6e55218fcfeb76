/* text_mutation.h - a text with a few tokens or lines changed, the same for
 * the same numbers. Knows nothing of reading or running it. */
#ifndef TESTS_FUZZ_TEXT_MUTATION_H
#define TESTS_FUZZ_TEXT_MUTATION_H

#include <stdint.h>

#include "tests/fuzz/text_corpus.h"

/* One of the corpus's texts with one to four changes, child of `context`:
 * `seed` and `number` choose it and them. */
char *text_mutation_make(void *context, const struct text_corpus *corpus,
    uint64_t seed, uint64_t number);

#endif
