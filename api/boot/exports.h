/* exports.h - the kernel's routines as drivers call them: prototypes as in the
 * WDK, each the gate of its body. */
#ifndef API_BOOT_EXPORTS_H
#define API_BOOT_EXPORTS_H

#include "api/core/each_parameter.h"
#include "api/core/routine.h"

#define EXPORT_P(index, type, name, ...) type name
#define EXPORT_NONE void
#define ROUTINE(name, image, ret, lowest, highest, cycles, instructions,       \
    needs, traits, failed, since, header, failures, requirements, ...)         \
    ret NTAPI name(EACH_PARAMETER(EXPORT_, __VA_ARGS__));
#include "api/core/exports.def"

extern const struct routine_entry export_entries[ROUTINE_COUNT];

#endif
