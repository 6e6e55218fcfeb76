/* header_body.h - the fields of one structure of a header, as an entry of
 * `structures`: each where the compiler has it. Where that is not where an
 * entry without `at` would have it, `at` says so. */
#ifndef RUNNER_HEADERS_HEADER_BODY_H
#define RUNNER_HEADERS_HEADER_BODY_H

#include <stdint.h>
#include <stdio.h>

#include "scenarios/runner/headers/header_type.h"

struct header_body {
    FILE *fields, *left_out; /* the two lists, as they grow */
    size_t count, left;      /* entries in them */
    uint64_t end;            /* of what is there so far, bytes */
    uint64_t pack, size;     /* the structure's own */
    uint64_t alignment;      /* that an entry with these fields has */
    uint64_t natural;        /* that it would have without `pack` */
};

/* A field of that type, and of so many elements; 0: it is no array. */
void header_body_add(struct header_body *body, const char *name,
    const char *type, const struct header_type *element, uint64_t count,
    uint64_t at);

/* A field of bits, the first of them `bit` bits from the beginning. */
void header_body_add_bits(
    struct header_body *body, const char *name, uint64_t bit, uint64_t bits);

/* A field that is not expressed. */
void header_body_leave_out(
    struct header_body *body, const char *name, const char *reason);

#endif
