/* shrink.h - makes a program that fails as small as it stays failing. */
#ifndef TESTS_RANDOM_SHRINK_H
#define TESTS_RANDOM_SHRINK_H

#include "tests/random/program.h"

/* `fails` is asked of programs that are sound, and was true of this one. */
void program_shrink(struct program *program,
    bool (*fails)(void *argument, const struct program *program),
    void *argument);

#endif
