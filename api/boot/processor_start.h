/* processor_start.h - a processor is added to the Windows that runs. */
#ifndef API_BOOT_PROCESSOR_START_H
#define API_BOOT_PROCESSOR_START_H

#include "api/nt/nt.h"

struct kernel;

/* The next one that the machine has and that is not active, by code of a strand
 * at PASSIVE_LEVEL. Drivers are told before and behind; one of them can refuse
 * it, whose status is returned then (CPU-01). It belongs to sets of all
 * processors (HAL-ALLOC-60 [C]) and the HAL serves it when they are told that
 * it is there. */
NTSTATUS processor_start(struct kernel *kernel);

#endif
