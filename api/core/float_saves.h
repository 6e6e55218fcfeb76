/* float_saves.h - which floating-point states drivers have saved and not
 * restored, by thread. Knows nothing of registers: on x64 nothing has to be
 * saved (FPU-05 [C]). */
#ifndef API_CORE_FLOAT_SAVES_H
#define API_CORE_FLOAT_SAVES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/record_pool.h"

struct driver;
struct kernel;

struct float_save {
    uint64_t address;        /* of the driver's KFLOATING_SAVE or XSTATE_SAVE */
    const void *thread;      /* whose it is: its object */
    uint64_t thread_address; /* as a driver sees it */
    const struct driver *driver;
    uint64_t place; /* where it was saved */
    uint32_t step;  /* of the actor that did; 0: none */
    uint8_t irql;
    bool extended; /* by KeSaveExtendedProcessorState */
    struct float_save *older;
};

/* Zero: there is none. */
struct float_saves {
    struct float_save *newest;
    struct record_pool pool;
};

void float_saves_add(struct kernel *kernel, const struct float_save *save);

/* It is restored. */
void float_saves_remove(struct kernel *kernel, struct float_save *save);

/* The thread's last one; NULL: it has none. */
struct float_save *float_saves_innermost(
    const struct kernel *kernel, const void *thread);

/* The last one that was saved there; NULL: none was. */
struct float_save *float_saves_find(
    const struct kernel *kernel, uint64_t address, bool extended);

/* A routine that begins at `place` has returned, or a thread is about to end:
 * stops the machine where the thread has a state more than `before`. */
void float_saves_check(struct kernel *kernel, const void *thread,
    const struct float_save *before, uint64_t place);

#endif
