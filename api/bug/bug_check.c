/* bug_check.c - KeBugCheckEx, KeBugCheck: a driver stops the machine. */
#include "api/core/bugcheck.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/core/run_end.h"

/* The record has the driver's numbers as they are (BUG-02 [C]). */
static _Noreturn void stop(enum routine routine, ULONG code,
    const struct bugcheck_parameter parameter[4])
{
    struct kernel *kernel = kernel_current();
    char place[PLACE_BYTES];

    if (code == (uint32_t)BUGCHECK_NONE) {
        place_name(kernel, place_current(kernel), place, sizeof(place));
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "a bug check with the code 0xFFFFFFFF, at %s, is not modelled",
            place);
    }
    rule_stop_with(kernel, kernel_cpu(kernel), RULE_BUGCHECK_CALLED, routine,
        place_current(kernel), (enum bugcheck_code)code, parameter);
}

VOID KeBugCheckEx_body(ULONG BugCheckCode, ULONG_PTR BugCheckParameter1,
    ULONG_PTR BugCheckParameter2, ULONG_PTR BugCheckParameter3,
    ULONG_PTR BugCheckParameter4)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = BugCheckParameter1}, {.value = BugCheckParameter2},
        {.value = BugCheckParameter3}, {.value = BugCheckParameter4}};

    stop(ROUTINE_KeBugCheckEx, BugCheckCode, parameter);
}

VOID KeBugCheck_body(ULONG BugCheckCode)
{
    static const struct bugcheck_parameter none[4];

    stop(ROUTINE_KeBugCheck, BugCheckCode, none);
}
