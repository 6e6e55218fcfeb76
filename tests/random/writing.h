/* writing.h - a program while it is written as a scenario: what the steps so
 * far use, for the scenario's head, which is written last. */
#ifndef TESTS_RANDOM_WRITING_H
#define TESTS_RANDOM_WRITING_H

#include <stdio.h>

#include "tests/random/program.h"
#include "tests/random/reference.h"

struct writing {
    FILE *out;
    const struct program *program;    /* with the steps that come to run */
    struct reference reference;       /* behind the step that is written */
    bool stops;                       /* by a bug check in the end */
    unsigned runs[PROGRAM_CALLBACKS]; /* of each, in the whole program */
    bool block[PROGRAM_BLOCKS];
    bool plain; /* a handler that does nothing */
    bool full;  /* that of event buffers */
    bool told;  /* what it was given is looked at */
    const struct reload *reload[PROGRAM_RELOADS];
    const struct program_step *callback[PROGRAM_CALLBACKS];
};

extern const char *const writing_actors[PROGRAM_ACTORS];

/* Whether a later step has the handle that this one returns, under `$`, a
 * letter and the number of the step. */
bool writing_is_saved(
    const struct writing *writing, const struct program_step *step);

/* The calls. The reference is not behind them yet. */
void write_claim_call(struct writing *writing, const struct program_step *step);
void write_counting_call(
    struct writing *writing, const struct program_step *step);
void write_pcw_call(struct writing *writing, const struct program_step *step);
void write_buffer_reset(
    struct writing *writing, const struct program_step *step);

/* In a list of descriptors. */
void write_buffer_descriptor(
    struct writing *writing, const struct descriptor *descriptor);

/* What they returned, gave out and called. */
void write_claim_results(const struct writing *writing,
    const struct program_step *step, const struct answer *answer);
void write_counting_results(const struct writing *writing,
    const struct program_step *step, const struct answer *answer);
void write_pcw_results(const struct writing *writing,
    const struct program_step *step, const struct answer *answer);

/* Calls of the handler of event buffers, as an entry of `handler`; and the one
 * call, as an event. */
void write_buffer_handler(
    const struct writing *writing, const struct answer *answer);
void write_buffer_event(
    const struct writing *writing, const struct handler_call *call);

/* Steps behind the one of the answer: what the last such handler was given is
 * what has been recorded. */
void write_buffer_told(struct writing *writing, const struct program_step *step,
    const struct answer *answer);

/* What counters and sets look like behind a step, as entries of `state`. */
void write_claim_state(const struct writing *writing, unsigned actor);
void write_counting_state(const struct writing *writing, unsigned processor);
void write_buffer_state(const struct writing *writing, unsigned processor);

/* Callbacks and blocks of the scenario's head. */
void write_counting_head(const struct writing *writing, FILE *out);
void write_pcw_callbacks(struct writing *writing, FILE *out);
void write_buffer_head(const struct writing *writing, FILE *out);
void write_pcw_blocks(const struct writing *writing, FILE *out);
void write_buffer_blocks(const struct writing *writing, FILE *out);

#endif
