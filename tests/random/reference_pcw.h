/* reference_pcw.h - the second opinion on counter sets: which calls succeed,
 * and which instances and values a consumer sees. */
#ifndef TESTS_RANDOM_REFERENCE_PCW_H
#define TESTS_RANDOM_REFERENCE_PCW_H

#include "tests/random/program.h"

struct answer;
struct reference;

enum { PCW_ROWS = PROGRAM_STEPS * 2 };

struct held_registration {
    const struct program_step *step; /* that made it */
    bool live;
    unsigned silo;
};

struct held_instance {
    const struct program_step *step;
    size_t registration; /* its place in the list of those */
    bool live;
    bool lost;   /* closed by its registration */
    uint32_t id; /* PCW-CRE-08b */
};

/* A query of a consumer, and whom it has told of itself. */
struct open_query {
    const struct program_step *step;
    bool live;
    bool told[PROGRAM_STEPS]; /* by the registrations' places */
};

struct pcw_state {
    struct held_registration registration[PROGRAM_STEPS];
    struct held_instance instance[PROGRAM_STEPS];
    struct open_query query[PROGRAM_STEPS];
    size_t registration_count, instance_count, query_count;
    uint8_t block[PROGRAM_BLOCKS][PROGRAM_BLOCK_BYTES];
};

struct pcw_seen {
    uint16_t id;
    uint64_t value;
};

struct pcw_row {
    unsigned name;
    uint32_t id;
    struct pcw_seen value[PROGRAM_COUNTERS];
    size_t value_count; /* that are known */
};

/* What a consumer gets, and how often each callback runs. */
struct pcw_answer {
    struct pcw_row row[PCW_ROWS];
    size_t row_count;
    bool rows_given;
    unsigned runs[PROGRAM_CALLBACKS];
};

void reference_pcw_start(struct pcw_state *state);

/* ACT_REGISTER to ACT_CLOSE_QUERY. */
void reference_pcw_step(struct reference *reference,
    const struct program_step *step, struct answer *answer);

/* Whether what the step uses has been there. */
bool reference_pcw_allows(
    const struct reference *reference, const struct program_step *step);

/* Whether PcwAddInstance succeeds in a collection, which asks for all counters
 * where `asking` is NULL; else it returns STATUS_INVALID_BUFFER_SIZE. */
bool reference_pcw_accepts(const struct registering *registering,
    const struct pcw_added *added, const struct asking *asking);

/* Whether an instance before this one has its name. */
bool reference_pcw_is_twin(const struct registering *registering, size_t added);

/* The silo of an actor. */
unsigned reference_silo(const struct program *program, unsigned actor);

#endif
