/* pmu.h - the counters of the Intel architectural PMU, version 2 and later, on
 * a processor of the caller's choice. Who may use them is not decided here.
 * All at PASSIVE_LEVEL. */
#ifndef PMUCTL_PMU_H
#define PMUCTL_PMU_H

#include <ntddk.h>

#include "scenarios/drivers/pmuctl/pmuctl.h"

/* STATUS_INVALID_PARAMETER as in pmuctl.h, or the status of the exception that
 * a register raised. */
NTSTATUS pmu_program(const struct pmuctl_program *program);
NTSTATUS pmu_read(
    const struct pmuctl_counter *counter, struct pmuctl_count *count);
NTSTATUS pmu_read_register(
    const struct pmuctl_register *request, ULONG64 *value);

/* Stops and clears the counters of all processors. */
VOID pmu_stop(VOID);

#endif
