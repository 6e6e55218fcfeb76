/* generate.h - how random programs are made: each step is chosen by what the
 * reference says is there, so that most of them do something. */
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include "tests/random/program.h"
#include "tests/random/reference.h"
#include "tests/splitmix.h"

struct generator {
    struct splitmix stream;
    struct program *program;
    struct reference reference;  /* behind the steps so far */
    unsigned subject;            /* what most of its steps are about */
    bool counts;                 /* its claims are there to be counted with */
    unsigned reloads, callbacks; /* slots that are taken */
};

static inline unsigned generate_below(
    struct generator *generator, unsigned bound)
{
    return (unsigned)splitmix_below(&generator->stream, bound);
}

static inline bool generate_one_in(struct generator *generator, unsigned odds)
{
    return generate_below(generator, odds) == 0;
}

/* These fill in a step of their kinds, whose kind and actor are chosen. The
 * actor may become another one. Each returns whether there is such a step now.
 */
bool generate_claim(struct generator *generator, struct program_step *step);
bool generate_counting(struct generator *generator, struct program_step *step);
bool generate_pcw(struct generator *generator, struct program_step *step);

#endif
