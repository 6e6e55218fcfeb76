/* drivers_digest.h - a number for the drivers that a run may run: parts of one
 * run have the same. */
#ifndef RUNNER_PARTS_DRIVERS_DIGEST_H
#define RUNNER_PARTS_DRIVERS_DIGEST_H

#include <stdint.h>

struct run_words;

/* Of the bytes of the images, and of all *.sys in the directories; a file that
 * cannot be read is as one without any. */
uint64_t drivers_digest(const struct run_words *allowed);

#endif
