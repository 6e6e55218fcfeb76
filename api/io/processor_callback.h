/* processor_callback.h - the callback object ProcessorAdd: its routines are
 * told of processors that are added, as processor_change.h tells those that are
 * registered for that, and behind them [C]. */
#ifndef API_IO_PROCESSOR_CALLBACK_H
#define API_IO_PROCESSOR_CALLBACK_H

#include "api/nt/nt.h"

struct cpu;
struct kernel;

/* The status that they have left, of which the first error counts: all of them
 * are told of it then (CBK-05b [C]). */
NTSTATUS processor_callback_begin(struct kernel *kernel, const struct cpu *cpu);

/* It does not come after all. */
void processor_callback_fail(
    struct kernel *kernel, const struct cpu *cpu, NTSTATUS status);

/* It has been added. */
void processor_callback_complete(struct kernel *kernel, const struct cpu *cpu);

#endif
