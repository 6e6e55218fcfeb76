/* equivalents_file.h - the list of defects that make no difference as it lies
 * in the source tree, which is the current directory; what is wrong with it is
 * said on standard error. */
#ifndef TESTS_MUTATION_EQUIVALENTS_FILE_H
#define TESTS_MUTATION_EQUIVALENTS_FILE_H

#include <stdbool.h>

struct walk;

/* Marks them in the walk. False: one of them names nothing. */
bool equivalents_file_mark(void *memory, struct walk *walk);

/* Whether every entry names a defect. */
bool equivalents_file_check(void *memory);

#endif
