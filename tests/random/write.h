/* write.h - a random program as a scenario, with the reference's answers as its
 * expectations. */
#ifndef TESTS_RANDOM_WRITE_H
#define TESTS_RANDOM_WRITE_H

#include <stdio.h>

#include "tests/random/program.h"

/* With the rulings, "ID: value, ...", flipped; NULL: none. The reference knows
 * of none. */
void program_write(
    const struct program *program, const char *rulings, FILE *out);

#endif
