/* function_at.h - which function of a C file a place is in. */
#ifndef MUTATION_FUNCTION_AT_H
#define MUTATION_FUNCTION_AT_H

#include <stddef.h>

/* The name of the function whose parameters or body have the byte at `at`.
 * NULL: it is in none, such as in a table. Child of `context`. */
char *function_at(void *context, const char *text, size_t at);

#endif
