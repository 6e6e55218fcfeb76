/* faults.h - calls that fail without doing anything, as a driver's author asks
 * of Driver Verifier: the next one of a routine, or a later one. */
#ifndef API_CORE_FAULTS_H
#define API_CORE_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"

struct faults {
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

#endif
