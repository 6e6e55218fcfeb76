/* write.h - a random program as a scenario, with the reference's answers as its
 * expectations. */
#ifndef TESTS_RANDOM_WRITE_H
#define TESTS_RANDOM_WRITE_H

#include <stdio.h>

#include "tests/random/program.h"

void program_write(const struct program *program, FILE *out);

#endif
