/* system_claim.h - counters that Windows itself claims and gives back. */
#ifndef RUNNER_RUN_SYSTEM_CLAIM_H
#define RUNNER_RUN_SYSTEM_CLAIM_H

#include <stdbool.h>

#include "api/nt/nt.h"

struct run;
struct system_claim;

/* All that are claimed before the first step. */
void system_claim_boot(struct run *run);

NTSTATUS system_claim_make(struct run *run, const struct system_claim *claim);

/* False when nothing is held under its name. */
bool system_claim_release(struct run *run, const struct system_claim *claim);

#endif
