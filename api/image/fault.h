/* fault.h - what a driver's native code did when the host took it away: a page
 * that is not there, an instruction that needs the machine, or an exception. */
#ifndef API_IMAGE_FAULT_H
#define API_IMAGE_FAULT_H

#include <stdbool.h>

#include "api/nt/nt.h"

struct guest_frame;

/* Whether frame->trap was the touch of a pageable page that may be touched now:
 * it is open then, and the instruction goes on. Safe in a signal handler. */
bool fault_opens_page(const struct guest_frame *frame);

/* Whether the kernel's own code has touched a page of a program's that is
 * closed to drivers: it is open then. Safe in a signal handler. */
bool fault_opens_for_kernel(const void *address);

/* Raises an exception at the instruction that frame->registers name. */
_Noreturn void fault_raise(struct guest_frame *frame, NTSTATUS code);

/* Does what the processor and Windows do about frame->trap. Returns when the
 * driver's code goes on with frame->registers. */
void fault_handle(struct guest_frame *frame);

#endif
