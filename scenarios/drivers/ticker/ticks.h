/* ticks.h - counting interrupts of counter 0 on every processor. */
#ifndef TICKER_TICKS_H
#define TICKER_TICKS_H

#include <ntddk.h>

#include "scenarios/drivers/ticker/ticker.h"

/* Whether the processor has a PMU of version 2 or later whose counters count: a
 * virtual machine may show one that does not (HAL-ALLOC-56a), so none is asked
 * of it. */
BOOLEAN ticks_are_possible(VOID);

NTSTATUS ticks_start(const struct ticker_start *start);
NTSTATUS ticks_stop(VOID);

/* In: the processor's index; out: its ticks. */
NTSTATUS ticks_read(ULONG *value);

#endif
