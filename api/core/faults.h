/* faults.h - calls that fail without doing anything, as a driver's author asks
 * of Driver Verifier: the next one of a routine, or a later one; or whichever
 * call somebody chooses, in the way that faults.def has for its routine. */
#ifndef API_CORE_FAULTS_H
#define API_CORE_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

/* How a call fails that did nothing wrong. */
struct fault_way {
    uint64_t result;
    bool raises; /* STATUS_INSUFFICIENT_RESOURCES, and returns nothing */
};

/* Who chooses calls that fail. */
struct fault_chooser {
    /* Asked of each call that could, on the strand that makes it. */
    bool (*fails)(struct fault_chooser *chooser, struct kernel *kernel,
        enum routine routine, const struct fault_way *way);
};

struct faults {
    struct fault_chooser *chooser; /* NULL: nobody chooses */
    struct fault {
        uint32_t left;   /* calls up to the one that fails; 0: none will */
        uint64_t result; /* what that one returns */
    } of[ROUTINE_COUNT];
};

/* The nth call from now on fails, nth > 0. One at a time: none is waited for.
 */
void faults_arm(
    struct faults *faults, enum routine routine, uint32_t nth, uint64_t result);

/* How many calls are still to come up to the one that fails; 0: it came. */
uint32_t faults_left(const struct faults *faults, enum routine routine);

/* Whether no document says that the routine may return this. */
bool faults_are_undocumented(enum routine routine, uint64_t result);

/* A call arrives. Whether it is the one; *result is written only then. */
bool faults_take(struct faults *faults, enum routine routine, uint64_t *result);

/* Whether a call of the routine can fail by no mistake of its caller's. */
bool faults_are_possible(enum routine routine);

/* The same of the call with these arguments, and how; *way is written only
 * then. */
bool faults_way(
    enum routine routine, const uint64_t *argument, struct fault_way *way);

#endif
