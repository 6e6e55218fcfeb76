/* integrity.h - Driver Verifier's code integrity checks: which of them are
 * asked for, and what becomes of a driver that fails one. Knows nothing of
 * images or pools; whoever looks at those reports here. */
#ifndef API_CORE_INTEGRITY_H
#define API_CORE_INTEGRITY_H

#include <stdbool.h>

#include "api/core/bugcheck.h"
#include "api/core/rules.h"

/* Whether anybody asks (CI-08 [C]): from Windows 10 on, where a scenario or
 * ntpmu drive does. */
bool integrity_asked(const struct kernel *kernel);

/* Reports a rule that is broken, by the driver's code at `place` in a routine,
 * or by an image (0 and ROUTINE_COUNT); the subject says which, or "". Once for
 * the same: where it is a rule event the call goes on. `parameter` are those of
 * the bug check, of which the first is its own. Nothing where nobody asks. */
void integrity_report(struct kernel *kernel, enum rule rule,
    enum routine routine, uint64_t place, const char *subject,
    const struct bugcheck_parameter parameter[3]);

#endif
