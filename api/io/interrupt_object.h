/* interrupt_object.h - interrupts of devices: the lines that there are, and the
 * routines of drivers that are connected to them. */
#ifndef API_IO_INTERRUPT_OBJECT_H
#define API_IO_INTERRUPT_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/io/io.h"
#include "api/nt/nt.h"

struct cpu;
struct driver;
struct kernel;

/* Vectors of devices are 0x51, 0x61 and so on, each at the level of its first
 * figure (INT-04 [C]). */
enum { INTERRUPT_LINES = 7 };

/* A service routine with what it is connected to. */
struct interrupt_object {
    uint64_t address; /* KINTERRUPT, which nobody can look into */
    const struct driver *driver;
    uint64_t routine, context;
    uint64_t spin_lock; /* the driver's own; 0: it has given none */
    unsigned line;
    uint8_t irql, synchronize_irql;
    bool latched, shared;
    GROUP_AFFINITY where; /* processors that it comes to */
    uint32_t running;
    uint64_t place;
    /* That of objects which share a lock: the first one's counts. */
    const struct cpu *holder;
    uint64_t since;
    struct interrupt_object *next; /* connected later */
};

struct io_interrupts {
    struct interrupt_object *first;
    struct record_pool pool;
    unsigned lines; /* that devices have been given */
};

/* kernel_hooks: the interrupt of a line has come. */
void interrupt_object_service(
    struct kernel *kernel, struct cpu *cpu, unsigned line);

/* A driver has ended and left one connected: the machine stops (INT-12). */
extern const struct leak_source interrupt_leaks;

#endif
