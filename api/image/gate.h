/* gate.h - the page through which a driver's code leaves for the kernel.
 *
 * It lies in guest memory, so it may know no address of ours: it asks the
 * host's kernel, which keeps the one of guest_cross_entry as the timer slack of
 * this thread, a number of 64 bits that a program may set to what it likes and
 * gets back in a register. Where the host keeps no such number, the gate
 * faults, and the handler of the signal knows the way. */
#ifndef API_IMAGE_GATE_H
#define API_IMAGE_GATE_H

#include <stdbool.h>
#include <stdint.h>

enum { GATE_BYTES = 4096 };

/* Where it lies, in every run; and its one system call, of which nothing but
 * prctl(PR_GET_TIMERSLACK) may be let through. */
#define GATE_ADDRESS UINT64_C(0x180500000000)
uint64_t gate_system_call(void);

/* Where a thunk goes to, and where a driver's function returns to. */
uint64_t gate_import(void);
uint64_t gate_return(void);

/* Makes it. Returns false when the host has no room there. A second call does
 * nothing. */
bool gate_open(void);

void gate_close(void);

/* Whether the gate faults there because the host keeps no number. */
bool gate_knocks(uint64_t rip);

bool gate_holds(uint64_t address);

#endif
