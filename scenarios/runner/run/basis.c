/* basis.c - whether what an expectation cites is documented, tags D and H, so
 * that it is asked under --basis documented. */
#include "scenarios/runner/run/basis.h"

#include <assert.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"

bool basis_asks(
    const struct session *session, const char *const covers[CHECK_COVERS])
{
    if (!session->documented) {
        return true;
    }
    for (size_t i = 0; i < CHECK_COVERS && covers[i] != NULL; i++) {
        const struct requirement *requirement =
            requirements_find(session->requirements, covers[i]);

        assert(requirement != NULL); /* checked when the file was read */
        if (requirement->tag != 'D' && requirement->tag != 'H') {
            return false;
        }
    }
    return true;
}

void basis_leave_out(struct run *run)
{
    run->verdict->not_asked++;
}

void basis_judge(struct run *run)
{
    const struct verdict *verdict = run->verdict;

    if (verdict->result == RESULT_PASS && verdict->checks == 0 &&
        verdict->not_asked > 0) {
        run_fail(run, RESULT_SKIP, NULL, run->scenario->root,
            "nothing that it expects is documented, and --basis asks for "
            "nothing else");
    }
}
