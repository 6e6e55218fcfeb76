/* reached.h - which functions of a program ran, as reach/note.c has noted it.
 */
#ifndef MUTATION_REACHED_H
#define MUTATION_REACHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A byte for sixteen of the program's: two functions there run together. */
enum { REACHED_SHIFT = 4, REACHED_BYTES = 1 << 19 };

struct reached_function {
    uint64_t at; /* from the program's beginning */
    const char *name;
};

/* The functions of a program. */
struct reached_names {
    struct reached_function *item;
    size_t count;
};

/* What nm(1) has said of the program, a line a symbol: address, kind, name. A
 * compiler's copies of a function have its name. Child of `context`; NULL: no
 * symbol says where the program begins. */
struct reached_names *reached_names_read(void *context, const char *listing);

/* A line for each that is noted in the `size` bytes: its name, and `file`. */
void reached_print(const struct reached_names *names, const uint8_t *noted,
    size_t size, const char *file, FILE *out);

#endif
