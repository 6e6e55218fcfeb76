/* suite_digest.h - a number for all that a run is about: parts of one run, and
 * who joins them, have the same. */
#ifndef RUNNER_PARTS_SUITE_DIGEST_H
#define RUNNER_PARTS_SUITE_DIGEST_H

#include <stdint.h>

struct suite;

/* Of the text of its scenarios, of what they take from other files, and of its
 * instances; not of what they are called by on this host. */
uint64_t suite_digest(const struct suite *suite);

#endif
