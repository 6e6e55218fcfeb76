/* routine_bodies.h - what each routine does behind its gate, and what one that
 * ANSWERS does when a call is made to fail: for those who write them. */
#ifndef API_CORE_ROUTINE_BODIES_H
#define API_CORE_ROUTINE_BODIES_H

#include "api/core/each_parameter.h"
#include "api/nt/nt.h"

#define BODY_LEAVES(name)
#define BODY_ANSWERS(name)                                                     \
    NTSTATUS name##_failed(PVOID output, NTSTATUS status);
#define DECLARE_P(index, type, name, ...) type name
#define DECLARE_NONE void
#define ROUTINE(name, image, ret, lowest, highest, cycles, instructions,       \
    needs, traits, failed, since, header, failures, requirements, ...)         \
    BODY_##failed(name) ret name##_body(EACH_PARAMETER(DECLARE_, __VA_ARGS__));
#include "api/core/exports.def"

#endif
