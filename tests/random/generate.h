/* generate.h - how random programs are made: each step is chosen by what the
 * reference says is there, so that most of them do something. */
#ifndef TESTS_RANDOM_GENERATE_H
#define TESTS_RANDOM_GENERATE_H

#include "sim/base/splitmix.h"
#include "tests/random/program.h"
#include "tests/random/reference.h"

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
bool generate_buffer(struct generator *generator, struct program_step *step);

/* A descriptor of an event buffer; a sound one, or mostly. */
struct descriptor generate_buffer_descriptor(
    struct generator *generator, bool sound);

/* A processor: that of the counter that was programmed last, one of those that
 * drivers run on, whose level changes, or any. */
unsigned generate_processor(struct generator *generator);

/* Whether a counter runs there. */
bool generate_runs(const struct generator *generator, unsigned processor);

/* A counter of a live set, on a processor that it holds it on, becomes that of
 * the step, and the set's owner its actor. Returns whether one was found. */
bool generate_held(struct generator *generator, struct program_step *step);

#endif
