/* census.h - what random programs come to: how many of them reach each kind of
 * step, answer, rule and machine. A generator that makes no more of one kind
 * tests it no more, and nothing fails for it: so there are floors. */
#ifndef TESTS_RANDOM_CENSUS_H
#define TESTS_RANDOM_CENSUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/random/program.h"

enum {
    CENSUS_ROWS = 0
#define FLOOR(...) +1
#include "tests/random/floors.def"
    ,
    CENSUS_NAME = 80
};

struct census {
    uint64_t programs[CENSUS_ROWS]; /* that reach the row */
    char unknown[CENSUS_NAME];      /* what has no row; empty: nothing */
};

void census_add(struct census *census, const struct program *program);

/* All rows, with what is expected of 300 programs. */
void census_print(const struct census *census, FILE *out);

/* Whether `count` programs reach every row's floor, and nothing else; else says
 * on `out` what is wrong. */
bool census_check(const struct census *census, uint64_t count, FILE *out);

#endif
