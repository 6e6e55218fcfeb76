/* code.h - the functions that a workload's events come from, so that a PEBS
 * record has the address of an instruction. Knows nothing of time. */
#ifndef SIM_PMU_CODE_H
#define SIM_PMU_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/model.h"

/* The instruction that an event comes from, and the one that runs behind it. */
struct code_place {
    uint64_t ip, next_ip;
};

/* A loop: instructions of equal length, the last of them a branch. */
struct code_function {
    uint64_t ip;           /* of its first instruction */
    uint32_t instructions; /* at least 1 */
    uint32_t share;        /* of a round's events, at least 1 */
    uint64_t branch_to;    /* where its last instruction goes */
    uint8_t step;          /* bytes of an instruction, 1 .. 15 */
};

/* Functions that take turns. A round is as many events in a row as all shares
 * together, and each function has its share of every round; so it is with the
 * events of each kind on their own [C]. Where in a round one begins, and at
 * which instruction, differs from round to round as if by chance, though always
 * in the same way, so that no period falls in step with it. */
struct code {
    const struct code_function *function;
    size_t count;   /* at least 1 */
    uint64_t round; /* the sum of all shares */
};

/* Whether every function has an instruction and a share, and the round is their
 * sum; asserts each part. */
bool code_check(const struct code *code);

/* Where the workload's n-th event of this kind, counted from 0, comes from. One
 * that only a branch can be comes from the last instruction of a function. */
struct code_place code_place(
    const struct code *code, enum event event, uint64_t n);

#endif
