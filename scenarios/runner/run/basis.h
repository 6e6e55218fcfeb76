/* basis.h - what stands behind an expectation: the weakest of the requirements
 * that it cites (docs/requirements.md, tags). */
#ifndef RUNNER_RUN_BASIS_H
#define RUNNER_RUN_BASIS_H

#include "scenarios/runner/language/scenario_limits.h"

#include <stdbool.h>

struct run;
struct session;

/* Whether the session asks expectations that cite these: all that cite only
 * what documents and headers say, or nothing, and others unless it is confined
 * to those. */
bool basis_asks(
    const struct session *session, const char *const covers[CHECK_COVERS]);

/* Counts an expectation that is not asked. */
void basis_leave_out(struct run *run);

/* At the end of a run: it is skipped when nothing was asked. */
void basis_judge(struct run *run);

#endif
