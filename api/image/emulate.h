/* emulate.h - instructions of a driver's native code that the machine executes
 * instead of the host's processor (instructions.def). */
#ifndef API_IMAGE_EMULATE_H
#define API_IMAGE_EMULATE_H

#include <stdbool.h>

struct guest_frame;

/* Executes the instruction at RIP, as code of the running strand: time passes,
 * interrupts are taken, an exception may be raised instead. Returns false, and
 * has done nothing, when it is none that the machine answers. */
bool emulate_instruction(struct guest_frame *frame);

#endif
