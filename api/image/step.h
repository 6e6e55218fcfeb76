/* step.h - a driver's instructions as preemption points: where the schedule
 * asks for them, the host's processor stops behind each, by TF, and those
 * before which another processor could make a difference are choices. What
 * touches no memory, its own stack, or what nobody may write is none [C]. */
#ifndef API_IMAGE_STEP_H
#define API_IMAGE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "api/image/guest.h"

/* Whether the kernel's schedule has instructions as choices. */
bool step_is_on(const struct kernel *kernel);

/* For a handler of signals: whether the driver's code goes on at `rip` without
 * a choice, with these general registers, and is stopped behind that. */
bool step_passes(struct kernel *kernel, uint64_t rip,
    const uint64_t registers[GUEST_REGISTERS]);

/* The choice before the next instruction of the frame. */
void step_choose(struct guest_frame *frame);

/* Before a driver's code is entered, or gone back to: TF is set there, or not.
 * A driver that has set it for itself is stopped: it is not modelled then. */
void step_arm(struct guest_frame *frame);

#endif
