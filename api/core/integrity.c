/* integrity.c - Driver Verifier's code integrity checks: rule events, or bug
 * check 0xC4 with the codes of its page. */
#include "api/core/integrity.h"

#include <string.h>

#include "api/core/kernel.h"
#include "api/core/verifier.h"

bool integrity_asked(const struct kernel *kernel)
{
    return kernel->os >= &os_rows[OS_WIN10_PRE1903] &&
           !ruling_is(kernel, RULED_CI_08_silent);
}

static bool is_known(const struct kernel *kernel, enum rule rule,
    enum routine routine, uint64_t place, const char *subject)
{
    const struct rule_log *log = &kernel->rules;

    for (size_t i = 0; i < log->count; i++) {
        const struct rule_event *event = &log->event[i];

        if (event->rule == rule && event->routine == routine &&
            event->place == place && strcmp(event->subject, subject) == 0) {
            return true;
        }
    }
    return false;
}

void integrity_report(struct kernel *kernel, enum rule rule,
    enum routine routine, uint64_t place, const char *subject,
    const struct bugcheck_parameter parameter[3])
{
    const struct verifier_row *row = verifier_row(rule, routine);
    const struct bugcheck_parameter all[4] = {
        {.value = row->violation}, parameter[0], parameter[1], parameter[2]};

    if (!integrity_asked(kernel)) {
        return;
    }
    if (row->by == VERIFIER_INTEGRITY && ruling_is(kernel, RULED_CI_08_fatal)) {
        rule_stop_with(
            kernel, kernel_cpu(kernel), rule, routine, place, row->code, all);
    }
    if (!is_known(kernel, rule, routine, place, subject)) {
        rule_warn_of(kernel, kernel_cpu(kernel), rule, routine, place, subject);
    }
}
