/* reference.h - the second opinion: what each step of a random program must
 * return and leave, by the requirements that are cited beside it. It shares no
 * code with the interfaces that it judges. */
#ifndef TESTS_RANDOM_REFERENCE_H
#define TESTS_RANDOM_REFERENCE_H

#include "tests/random/program.h"

enum {
    REFERENCE_RULES = 4, /* that one call can break */
    REFERENCE_LEVELS = PROGRAM_STEPS,
    REFERENCE_LEGAL = 16, /* KHC-TYPE-01 */
};

/* A set that was granted: a bit for each counter that it holds, by processor.
 */
struct held_set {
    unsigned number; /* of the step that allocated it */
    unsigned actor;
    bool live;
    bool exclusive; /* made without a list */
    bool touches[PROGRAM_PROCESSORS];
    uint64_t counters[PROGRAM_PROCESSORS];
};

struct reference {
    const struct program *program;
    struct held_set set[PROGRAM_STEPS];
    size_t set_count;
    struct element configured[REFERENCE_LEGAL];
    uint32_t configured_count;
    uint8_t level[PROGRAM_ACTORS];
    uint8_t left[PROGRAM_ACTORS][REFERENCE_LEVELS]; /* by raises, outer first */
    size_t left_count[PROGRAM_ACTORS];
    bool stopped; /* by a bug check: no later step runs */
};

struct answer {
    const char *status; /* NULL: the routine has none, or did not return */
    const char *rule[REFERENCE_RULES];
    size_t rule_count;
    bool granted;     /* a handle is handed out */
    bool faulted;     /* an access violation at the caller */
    bool level_given; /* `level` is what the routine returns */
    uint8_t level;
    bool count_given; /* *Count is written */
    uint32_t count;
    bool array_given; /* the configuration is written */
};

void reference_start(
    struct reference *reference, const struct program *program);

/* What the step must answer; the reference is then behind it. */
struct answer reference_step(
    struct reference *reference, const struct program_step *step);

/* The set that the step with this number was granted; NULL: none. */
struct held_set *reference_set(struct reference *reference, unsigned number);

/* The counters that an actor holds on a processor, a bit each. */
uint64_t reference_counters(
    const struct reference *reference, unsigned actor, unsigned processor);

#endif
