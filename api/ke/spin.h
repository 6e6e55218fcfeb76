/* spin.h - waits that keep their processor, at DISPATCH_LEVEL and above, and
 * the watchdog that ends what takes too long (EXE-GEN-06 [C]). */
#ifndef API_KE_SPIN_H
#define API_KE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct kernel;

/* The running strand spins until the condition holds, which must not change
 * anything. Where EXE-GEN-06 is flipped, and it does not for as many ticks as a
 * processor may be at DISPATCH_LEVEL, the machine stops. */
void spin_until(
    struct kernel *kernel, bool (*condition)(void *context), void *context);

/* The clock's interrupt: stops the machine where what it came upon has spun for
 * too long. */
void spin_look(struct kernel *kernel, struct cpu *cpu);

#endif
