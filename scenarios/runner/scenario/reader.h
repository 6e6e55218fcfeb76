/* reader.h - one scenario while its parts are read. Who reads one reports and
 * goes on, so that one pass finds every error. */
#ifndef RUNNER_SCENARIO_READER_H
#define RUNNER_SCENARIO_READER_H

#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario.h"

struct reader {
    struct scope scope; /* with the schema; arch is that of the first machine */
    struct scenario *scenario; /* being filled; memory is its child */
    const struct requirements *requirements;
    const struct kinds *kinds;
    struct outline *outline;
    bool needs_pmu;    /* the architecture has none */
    unsigned branches; /* of `parallel`, so far */
    size_t actor;      /* of the branch, callback or use being read */
    bool in_parallel;
    bool actor_given; /* by a use that has `as` */
    const struct node *use[SCENARIO_FRAGMENT_DEPTH]; /* fragments being read */
    size_t use_count;
};

#endif
