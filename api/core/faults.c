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

enum fault_when { FAULT_ALWAYS, FAULT_GIVEN, FAULT_NOT_GIVEN, FAULT_RAISES };
enum fault_basis { FAULT_DOCUMENTED, FAULT_UNDOCUMENTED };

struct fault_row {
    enum routine routine;
    uint64_t result;
    enum fault_when when;
    unsigned argument; /* that `when` is about */
    uint64_t bits;     /* of it */
    enum fault_basis basis;
};

/* NULL: a call of the routine fails by its caller's mistake, or never. */
static const struct fault_row *row_of(enum routine routine)
{
    static const struct fault_row rows[] = {
#define FAULT(name, result, when, argument, bits, basis)                       \
    {ROUTINE_##name, (uint32_t)(result), FAULT_##when, argument, bits,         \
        FAULT_##basis},
#include "api/core/faults.def"
    };

    assert(routine < ROUTINE_COUNT);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].routine == routine) {
            return &rows[i];
        }
    }
    return NULL;
}

bool faults_are_undocumented(enum routine routine, uint64_t result)
{
    const struct fault_row *row = row_of(routine);

    return row != NULL && row->basis == FAULT_UNDOCUMENTED &&
           (uint32_t)row->result == (uint32_t)result;
}

bool faults_are_possible(enum routine routine)
{
    return row_of(routine) != NULL;
}

bool faults_way(
    enum routine routine, const uint64_t *argument, struct fault_way *way)
{
    const struct fault_row *row = row_of(routine);
    bool given;

    if (row == NULL) {
        return false;
    }
    given = (argument[row->argument] & row->bits) != 0;
    if ((row->when == FAULT_GIVEN && !given) ||
        (row->when == FAULT_NOT_GIVEN && given)) {
        return false;
    }
    *way = (struct fault_way){row->result, row->when == FAULT_RAISES && given};
    return true;
}
