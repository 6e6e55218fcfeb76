/* header_reading.h - a header read in a process of its own: what is wrong with
 * the compiler, or makes it crash, costs a message; and libclang is in no other
 * process. */
#ifndef RUNNER_HEADERS_HEADER_READING_H
#define RUNNER_HEADERS_HEADER_READING_H

#include <stddef.h>

#include "scenarios/runner/headers/header_unit.h"

/* One of three. */
struct header_reading {
    const char *structures;          /* a text in YAML, {structures: ..} */
    struct header_problems problems; /* of the header's */
    const char *failure; /* nobody could read it: libclang is not there */
};

/* The file of that path; what is found is of the context. */
struct header_reading header_read(void *context, const char *path);

#endif
