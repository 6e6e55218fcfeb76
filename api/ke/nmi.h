/* nmi.h - the callbacks of drivers for nonmaskable interrupts, and what comes
 * of one that nobody handles (NMI-01). */
#ifndef API_KE_NMI_H
#define API_KE_NMI_H

#include <stdint.h>

#include "sim/base/record_pool.h"

struct cpu;
struct kernel;
struct leak_source;
struct nmi_callback_entry;

struct nmi {
    struct nmi_callback_entry *newest; /* those that are registered */
    struct record_pool pool;
    uint32_t busy;       /* processors that handle an NMI */
    uint64_t registered; /* ever */
};

/* A processor takes an NMI: calls every callback at HIGH_LEVEL, and stops the
 * machine where none returns TRUE. */
void nmi_service(struct kernel *kernel, struct cpu *cpu);

/* Callbacks that a driver has registered and left. */
extern const struct leak_source nmi_leaks;

#endif
