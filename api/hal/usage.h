/* usage.h - what drivers do with the PMU's registers, and with calls that
 * failed, as far as rules ask for it later: who, where. Nothing is blocked by
 * it (HAL-ALLOC-55 [C]). Knows nothing of how a register is accessed. */
#ifndef API_HAL_USAGE_H
#define API_HAL_USAGE_H

#include <stdint.h>

#include "api/core/leaks.h"

struct cpu;
struct driver;
struct kernel;
struct usage_processor;

/* Who did something last. */
struct usage_by {
    const struct driver *driver; /* NULL: nobody */
    uint64_t place; /* of the driver's native code; 0: unknown, or a step's */
    uint64_t value; /* that it has written, of a register */
    uint32_t step;  /* of the actor's (struct thread) */
    bool reported;  /* as left behind */
};

struct usage {
    struct usage_processor **processor; /* each NULL until something is noted */
    struct usage_failed *failed; /* drivers whose last allocation failed */
};

/* At boot. */
void usage_start(struct kernel *kernel);

/* The driver that runs has allocated a set, or was refused one. */
void usage_allocated(struct kernel *kernel);
void usage_refused(struct kernel *kernel);

/* Where the driver's last allocation failed; NULL: it did not. */
const struct usage_by *usage_failure(
    const struct kernel *kernel, const struct driver *driver);

/* The driver that runs has written a register which everybody on the processor
 * shares; others than LVTPC and IA32_PEBS_ENABLE are not noted. */
void usage_written(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value);

/* The driver that runs programs a counter that no set of its holds. Returns who
 * did so last of those that did, the same one too; NULL: nobody has. Valid
 * until the next call. */
const struct usage_by *usage_programmed(
    struct kernel *kernel, struct cpu *cpu, unsigned counter);

/* LVTPC and IA32_PEBS_ENABLE that a driver leaves as it wrote them. */
extern const struct leak_source usage_lvtpc_leaks, usage_pebs_leaks;

#endif
