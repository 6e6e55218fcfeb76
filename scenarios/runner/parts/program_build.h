/* program_build.h - which program this is: results of one mean nothing to
 * another. */
#ifndef RUNNER_PARTS_PROGRAM_BUILD_H
#define RUNNER_PARTS_PROGRAM_BUILD_H

#include <stdint.h>

/* The same for every process of one executable, and of no other; 0: its linker
 * has given it no number. */
uint64_t program_build(void);

#endif
