/* interrupt.h - what the kernel does with an interrupt: from the vector to the
 * level and to the service routine. */
#ifndef API_KE_INTERRUPT_H
#define API_KE_INTERRUPT_H

struct kernel;

/* At boot: from here on the kernel takes the machine's interrupts. */
void interrupt_start(struct kernel *kernel);

#endif
