/* driver_call.h - how the kernel calls a driver's routine: on the running
 * strand, as that driver's code. */
#ifndef API_KE_DRIVER_CALL_H
#define API_KE_DRIVER_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/rules.h"
#include "api/ke/code.h"

struct driver;

/* What a routine may do to the level. */
enum target_level {
    TARGET_KEEPS_LEVEL,
    TARGET_RETURNS_AT, /* it returns at the one that is given */
    TARGET_CHANGES_LEVEL,
};

/* What is called. */
struct driver_target {
    const struct driver *driver;
    const char *routine; /* for people: DriverEntry, IRP_MJ_CREATE */
    uint64_t address;
    enum rule irql_rule;          /* it returns at another IRQL: fatal */
    enum bugcheck_code irql_code; /* of that; 0: the rule's own */
    enum rule interrupts_rule;    /* it returns with interrupts disabled */
    enum target_level level;
    uint8_t returns_at;
    bool mutexes_judged; /* by the caller: those that it has kept */
    bool regions_judged; /* likewise: those that it has not left */
};

/* Calls it and returns its RAX. Exceptions that it does not catch are nobody's
 * (bug check 0x1E). Stops the machine when no code is there, or when the
 * routine comes back at another IRQL; warns when the thread has another
 * affinity then. */
uint64_t driver_call(struct kernel *kernel, const struct driver_target *target,
    const uint64_t argument[CODE_ARGUMENTS]);

/* Puts what came of a call into the trace. */
void driver_call_trace(
    struct kernel *kernel, const struct driver_target *target, NTSTATUS status);

#endif
