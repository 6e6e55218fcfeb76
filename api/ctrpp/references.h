/* references.h - what the counters of a set refer to by id: bases, times,
 * frequencies, multiplicities (CTR-MAN-02, CTR-MAN-04). */
#ifndef API_CTRPP_REFERENCES_H
#define API_CTRPP_REFERENCES_H

#include "api/ctrpp/counter.h"

/* Adds what is wrong with them to the problems; read[i] is of counter i. */
void references_check(struct reading *reading, const struct manifest_set *set,
    const struct read_counter *read);

#endif
