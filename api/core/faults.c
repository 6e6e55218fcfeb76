/* faults.c - calls of routines that are to fail, as a `fault` step asks,
 * counted down. */
#include "api/core/faults.h"

#include <assert.h>

void faults_arm(
    struct faults *faults, enum routine routine, uint32_t nth, uint64_t result)
{
    assert(routine < ROUTINE_COUNT);
    assert(nth > 0 && faults->of[routine].left == 0);
    /* A status is the lower half; gate.c drops what is above. */
    assert(
        routine_rows[routine].returns != NT_NTSTATUS || result <= UINT32_MAX);
    faults->of[routine] = (struct fault){nth, result};
}

uint32_t faults_left(const struct faults *faults, enum routine routine)
{
    assert(routine < ROUTINE_COUNT);
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

bool faults_are_undocumented(enum routine routine, uint64_t result)
{
    static const struct {
        enum routine routine;
        uint32_t status;
    } rows[] = {
#define UNDOCUMENTED(name, value) {ROUTINE_##name, (uint32_t)(value)},
#include "api/core/undocumented.def"
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].routine == routine && rows[i].status == (uint32_t)result) {
            return true;
        }
    }
    return false;
}
