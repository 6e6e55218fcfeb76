/* reference_pmu.h - the second opinion on counters: what they hold after each
 * cycle, one by one, and which handlers their overflows call. */
#ifndef TESTS_RANDOM_REFERENCE_PMU_H
#define TESTS_RANDOM_REFERENCE_PMU_H

#include "tests/random/program.h"

struct answer;
struct reference;

struct counter_state {
    bool touched; /* by anybody, so it is looked at from then on */
    bool running, interrupts;
    enum event event;
    uint64_t value;
    bool sampled; /* its bit of IA32_PEBS_ENABLE */
    bool armed;   /* it has overflowed, and the next event makes a record */
    bool due;     /* which has come in this cycle */
};

struct processor_state {
    struct counter_state counter[MACHINE_INDEXES];
    /* A bit for each counter that overflowed, and REFERENCE_BUFFER_BIT. */
    uint64_t status;
    bool requested; /* an interrupt is on its way, or held back */
    uint32_t wait;  /* cycles until it can be taken */
};

/* ACT_PROGRAM to ACT_RUN. */
void reference_pmu_step(struct reference *reference,
    const struct program_step *step, struct answer *answer);

/* Whether the step is one that this file knows the rules of: whoever programs,
 * stops or clears a counter holds it, but on x86, where what it is programmed
 * by are two registers of its own. */
bool reference_pmu_allows(
    const struct reference *reference, const struct program_step *step);

/* The interrupt that was held back on this processor is taken, if its level
 * allows it now. */
void reference_pmu_deliver(
    struct reference *reference, unsigned processor, struct answer *answer);

/* The processor is to be interrupted, if it is not already. */
void reference_pmu_request(struct reference *reference, unsigned processor);

/* Events of a stretch in its first `cycles` cycles. */
uint64_t reference_pmu_events(
    const struct counting *run, enum event event, uint32_t cycles);

/* Whether to clear the counter's overflow would keep it from the handler of the
 * set that holds it (HAL-OVF-06a), if it is not polled. */
bool reference_pmu_loses(
    const struct reference *reference, const struct counting *counting);

/* Whether a counter of the set counts on one of its processors. */
bool reference_pmu_is_running(const struct reference *reference, size_t set);

#endif
