/* reference.h - the second opinion: what each step of a random program must
 * return and leave, by the requirements that are cited beside it. It shares no
 * code with the interfaces that it judges. */
#ifndef TESTS_RANDOM_REFERENCE_H
#define TESTS_RANDOM_REFERENCE_H

#include "tests/random/program.h"
#include "tests/random/reference_buffer.h"
#include "tests/random/reference_pcw.h"
#include "tests/random/reference_pmu.h"

enum {
    REFERENCE_RULES = 8, /* that one step can break */
    REFERENCE_LEVELS = PROGRAM_STEPS,
    REFERENCE_LEGAL = 16,   /* KHC-TYPE-01 */
    REFERENCE_CALLS = 2048, /* of handlers in one step */
};

/* A set that was granted: a bit for each counter that it holds, by processor.
 */
struct held_set {
    const struct program_step *step; /* that allocated it */
    unsigned actor;
    bool live;
    bool exclusive; /* made without a list */
    bool handler;
    struct reload reload;
    uint32_t threshold; /* of its event buffer; 0: it has none */
    bool touches[MACHINE_PROCESSORS];
    size_t got[MACHINE_PROCESSORS]; /* entries that its handler has got */
    uint64_t counters[MACHINE_PROCESSORS];
};

struct reference {
    const struct program *program;
    struct held_set set[PROGRAM_STEPS]; /* in the order of allocation */
    size_t set_count;
    bool failed[PROGRAM_ACTORS]; /* their last allocation */
    struct element configured[REFERENCE_LEGAL];
    uint32_t configured_count;
    uint8_t level[PROGRAM_ACTORS];
    uint8_t left[PROGRAM_ACTORS][REFERENCE_LEVELS]; /* by raises, outer first */
    size_t left_count[PROGRAM_ACTORS];
    struct processor_state processor[MACHINE_PROCESSORS];
    struct buffer_state buffer[MACHINE_PROCESSORS];
    struct pcw_state pcw;
    bool stopped; /* by a bug check: no later step runs */
};

/* A call of an overflow handler, or of an event buffer's. */
struct handler_call {
    size_t set; /* its place in reference.set */
    unsigned processor;
    uint64_t bits;
    size_t entries; /* 0: an overflow handler's */
};

struct answer {
    const char *status; /* NULL: the routine has none, or did not return */
    const char *rule[REFERENCE_RULES];
    size_t rule_count;
    const char *bugcheck; /* the machine stops with this code */
    bool granted;         /* a handle is handed out */
    bool faulted;         /* an access violation at the caller */
    bool protection;      /* #GP, or undefined, of a register */
    bool level_given;     /* `level` is what the routine returns */
    uint8_t level;
    bool count_given; /* *Count is written */
    uint32_t count;
    bool array_given; /* the configuration is written */
    bool value_given; /* of a register */
    uint64_t value;
    struct handler_call call[REFERENCE_CALLS];
    size_t call_count;
    struct entry told; /* the first of the last call that had entries */
    size_t records;    /* that were written */
    unsigned overflows[MACHINE_INDEXES]; /* of each counter */
    /* The first overflow of a run, if no interrupt came before it. */
    bool overflow_given, interrupted;
    uint32_t overflow_index, overflow_cycle;
    struct pcw_answer pcw;
};

void reference_start(
    struct reference *reference, const struct program *program);

/* What the step must answer; the reference is then behind it. */
void reference_step(struct reference *reference,
    const struct program_step *step, struct answer *answer);

/* Whether the step can be taken at all: what it uses is there, levels are
 * raised and lowered as they must be, and a consumer is not above APC_LEVEL. */
bool reference_allows(
    const struct reference *reference, const struct program_step *step);

/* The set that the step with this number was granted; NULL: none. */
struct held_set *reference_set(struct reference *reference, unsigned number);

/* The counters that an actor holds on a processor, a bit each. */
uint64_t reference_counters(
    const struct reference *reference, unsigned actor, unsigned processor);

/* The level of a processor: that of the actor who is there. */
uint8_t reference_level(const struct reference *reference, unsigned processor);

void answer_rule(struct answer *answer, const char *rule);

void answer_call(struct answer *answer, struct handler_call call);

/* The machine stops. */
void answer_stop(struct reference *reference, struct answer *answer,
    const char *rule, const char *bugcheck);

#endif
