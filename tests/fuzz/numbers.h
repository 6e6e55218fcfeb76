/* numbers.h - which of its numbers a program tries, as its arguments say:
 * [--seed N] [--from N] [--count N], or --one N. */
#ifndef TESTS_FUZZ_NUMBERS_H
#define TESTS_FUZZ_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct numbers {
    uint64_t seed, from, count;
    bool one; /* `from` alone, and shown */
};

enum numbers_found { NUMBERS_READ, NUMBERS_OTHER, NUMBERS_BAD };

/* A number as C writes it; false: `text`, which may be NULL, is none. */
bool numbers_parse(uint64_t *number, const char *text);

/* Reads **argument, which is not NULL, and moves it to the last one that was
 * read. NUMBERS_OTHER: it is something else; NUMBERS_BAD: its number is
 * missing, or none. */
enum numbers_found numbers_read(struct numbers *numbers, char ***argument);

#endif
