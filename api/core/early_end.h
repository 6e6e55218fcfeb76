/* early_end.h - calls that a ruling has end early, in the middle of the
 * routine's body: with an object that cannot be used (EXE-GEN-02 [C]), and with
 * an exception that becomes a status (EXE-GEN-07 [C]). */
#ifndef API_CORE_EARLY_END_H
#define API_CORE_EARLY_END_H

#include <setjmp.h>
#include <stdint.h>

#include "api/core/bugcheck.h"
#include "api/core/exception.h"
#include "api/core/routine.h"
#include "api/core/rules.h"

struct kernel;

/* Where the body that runs in a thread was called (struct thread). */
struct way_out {
    enum routine routine;
    uint64_t result;
    jmp_buf left;
};

/* Runs the routine's body; returns its result, or that of its early end. */
uint64_t early_end_call(
    struct kernel *kernel, enum routine routine, const uint64_t *argument);

/* What a routine was given is no object that it could use: the rule, which is
 * fatal, is broken. Where EXE-GEN-02 is flipped the call ends, before it has
 * had any effect, with STATUS_INVALID_PARAMETER or, without a status, 0. */
_Noreturn void early_end_for_object(struct kernel *kernel, enum rule rule,
    enum routine routine, const struct bugcheck_parameter parameter[4]);

/* Where EXE-GEN-07 is flipped, and a routine that returns a status raises
 * something other than an access violation (GEN-PTR-01), the call ends with
 * that. Else it returns. */
void early_end_for_exception(
    struct kernel *kernel, const struct exception_record *record);

#endif
