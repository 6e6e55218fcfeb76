/* program_tests.h - the tests of CTest that are a command, as a shell reads it.
 */
#ifndef MUTATION_PROGRAM_TESTS_H
#define MUTATION_PROGRAM_TESTS_H

#include <jansson.h>
#include <stdio.h>

/* `listing` is what `ctest --show-only=json-v1` prints. A line a test: its
 * name, a tab, its command with each word in quotes, by env -C where it has a
 * working directory. */
void program_tests_print(const json_t *listing, FILE *out);

#endif
