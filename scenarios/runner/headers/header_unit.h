/* header_unit.h - a driver's header as clang reads it for 64-bit Windows, as
 * ntpmu_add_driver compiles: by itself, as programs include it, or behind
 * ntddk.h, as drivers do. */
#ifndef RUNNER_HEADERS_HEADER_UNIT_H
#define RUNNER_HEADERS_HEADER_UNIT_H

#include <stddef.h>

#include "scenarios/runner/headers/clang_library.h"

/* An error of the compiler's. */
struct header_problem {
    const char *path; /* of the file that it is in; "": of none */
    unsigned line, column;
    const char *message;
};

struct header_problems {
    struct header_problem *item; /* of the context that they were asked with */
    size_t count;
};

/* The header of that path, read; NULL after filling `problems`, children of
 * `context`. */
CXTranslationUnit header_unit_read(const struct clang_library *clang,
    void *context, const char *path, struct header_problems *problems);

/* One more, as by printf. */
__attribute__((format(printf, 6, 7))) void header_problem_add(void *context,
    struct header_problems *problems, const char *path, unsigned line,
    unsigned column, const char *format, ...);

#endif
