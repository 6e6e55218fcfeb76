/* processor_change.h - drivers that want to know of processors which are added
 * to the system (executive.md 11). */
#ifndef API_KE_PROCESSOR_CHANGE_H
#define API_KE_PROCESSOR_CHANGE_H

#include "api/nt/nt.h"

struct cpu;
struct kernel;

struct processor_change {
    struct processor_callback *first; /* in the order of their registration */
    unsigned registered;              /* ever */
};

/* What they are told of the processor. */
KE_PROCESSOR_CHANGE_NOTIFY_CONTEXT processor_change_context(
    const struct cpu *cpu, KE_PROCESSOR_CHANGE_NOTIFY_STATE state,
    NTSTATUS status);

/* Tells all of them that the processor is about to be added; the first status
 * that is an error stops that, is told to those that had been told, and
 * returned. */
NTSTATUS processor_change_begin(struct kernel *kernel, const struct cpu *cpu);

/* Tells all of them that it does not come after all. */
void processor_change_fail(
    struct kernel *kernel, const struct cpu *cpu, NTSTATUS status);

/* Tells all of them that it has been. */
void processor_change_complete(struct kernel *kernel, const struct cpu *cpu);

#endif
