/* scenario_words.h - what mutations put into scenarios. */
#ifndef TESTS_FUZZ_SCENARIO_WORDS_H
#define TESTS_FUZZ_SCENARIO_WORDS_H

#include <stddef.h>

/* Constant texts; *count is how many. */
const char *const *scenario_words(size_t *count);

#endif
