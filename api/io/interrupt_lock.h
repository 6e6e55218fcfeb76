/* interrupt_lock.h - the spin lock of an interrupt, which its service routine
 * runs with and others take at its synchronisation level. */
#ifndef API_IO_INTERRUPT_LOCK_H
#define API_IO_INTERRUPT_LOCK_H

#include "api/core/routine.h"

struct cpu;
struct interrupt_object;
struct kernel;

/* The object of that address: without one the machine stops (INT-11 [C]). */
struct interrupt_object *interrupt_object_get(
    struct kernel *kernel, enum routine routine, const void *address);

/* At the object's synchronisation level: waits for the lock, and gives it back.
 * `routine` is ROUTINE_COUNT for the service routine. */
void interrupt_lock_take(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct interrupt_object *object);
void interrupt_lock_give(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct interrupt_object *object);

#endif
