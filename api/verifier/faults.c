/* faults.c - one counter a routine. */
#include "api/verifier/faults.h"

#include <assert.h>

void faults_arm(
    struct faults *faults, enum routine routine, uint32_t nth, uint64_t result)
{
    assert(nth > 0 && faults->of[routine].left == 0);
    faults->of[routine] = (struct fault){nth, result};
}

uint32_t faults_left(const struct faults *faults, enum routine routine)
{
    return faults->of[routine].left;
}

bool faults_take(struct faults *faults, enum routine routine, uint64_t *result)
{
    struct fault *fault = &faults->of[routine];

    if (fault->left == 0 || --fault->left > 0) {
        return false;
    }
    *result = fault->result;
    return true;
}
