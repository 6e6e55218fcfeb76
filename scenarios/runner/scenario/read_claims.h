/* read_claims.h - machine: {claims: ..}, counters that Windows itself uses. */
#ifndef RUNNER_SCENARIO_READ_CLAIMS_H
#define RUNNER_SCENARIO_READ_CLAIMS_H

#include <stddef.h>

struct node;
struct reader;
struct system_claim;

/* When the actors are known, behind which the claims' names stand. */
void read_claims(struct reader *reader);

/* The claim with the name that a step has; NULL after reporting that there is
 * none. */
const struct system_claim *read_claim_name(
    struct reader *reader, const struct node *node);

#endif
