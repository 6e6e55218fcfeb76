/* notify_call.h - calling all notify routines of a kind: for those who know
 * what they are told. */
#ifndef API_PS_NOTIFY_CALL_H
#define API_PS_NOTIFY_CALL_H

#include <stdbool.h>

#include "api/ke/code.h"
#include "api/ps/notify.h"

struct notify_arguments {
    uint64_t plain[CODE_ARGUMENTS];
    uint64_t extended[CODE_ARGUMENTS]; /* of the routines of Ex and Ex2 */
};

/* Whether one has ever been registered. */
bool notify_is_watched(const struct kernel *kernel, enum notify_kind kind);

/* In order of their slots. Those that are registered meanwhile, behind the one
 * that runs, are called, too. */
void notify_call_each(struct kernel *kernel, enum notify_kind kind,
    const struct notify_arguments *arguments);

#endif
