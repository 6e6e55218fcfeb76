/* header_type.h - what a C type is called in `structures`: by the name that the
 * header has for it where Windows has that one, else by a number of its size.
 */
#ifndef RUNNER_HEADERS_HEADER_TYPE_H
#define RUNNER_HEADERS_HEADER_TYPE_H

#include <stdint.h>

#include "scenarios/runner/headers/clang_library.h"

/* One of three: a name; a structure of the header's; neither, and why not. */
struct header_type {
    const char *name;         /* one of Windows' */
    const char *reason;       /* "a floating-point number" */
    CXType record;            /* where both are NULL */
    uint64_t size, alignment; /* bytes */
};

/* Of a value that is no array; memory is the context's. */
struct header_type header_type_of(
    const struct clang_library *clang, void *context, CXType type);

/* The definition of a structure or a union. */
CXCursor header_record(const struct clang_library *clang, CXType record);

#endif
