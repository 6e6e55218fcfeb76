/* header_structures.h - the structures of a header as `structures` of a
 * scenario, those that others have within them first. */
#ifndef RUNNER_HEADERS_HEADER_STRUCTURES_H
#define RUNNER_HEADERS_HEADER_STRUCTURES_H

#include <stdio.h>

#include "scenarios/runner/headers/header_unit.h"

/* Writes those that are defined in the header, or in what it includes as its
 * own ("x.h"), and what they consist of. One without a field that scenarios can
 * have is left out. Returns how many there are. */
size_t header_structures_write(const struct clang_library *clang, void *context,
    CXTranslationUnit unit, FILE *out);

#endif
