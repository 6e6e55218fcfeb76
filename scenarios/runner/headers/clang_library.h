/* clang_library.h - libclang, loaded in the process that reads a header: it
 * takes longer to load than most commands take. */
#ifndef RUNNER_HEADERS_CLANG_LIBRARY_H
#define RUNNER_HEADERS_CLANG_LIBRARY_H

#include <stdbool.h>

#include "scenarios/runner/headers/clang_interface.h"

struct clang_library {
#define CLANG_FUNCTION(result, name, parameters) result(*name) parameters;
#include "scenarios/runner/headers/clang_functions.def"
};

/* Loads it for the rest of the process. Returns false, with *problem, when it
 * cannot be loaded. */
bool clang_library_load(struct clang_library *clang, const char **problem);

/* A child of `context`; the string is disposed of. */
char *clang_text(
    const struct clang_library *clang, void *context, CXString string);

#endif
