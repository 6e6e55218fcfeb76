/* waits.h - requests for which a thread waits, in the ways that there are. */
#ifndef ASKED_WAITS_H
#define ASKED_WAITS_H

#include <ntddk.h>

#include "scenarios/drivers/asked/asked.h"

void waits_init(void);

NTSTATUS waits_wait(const struct asked_wait *asked);
NTSTATUS waits_set(const ULONG *pulse);
NTSTATUS waits_look_up(const struct asked_lookup *asked);

#endif
