/* kernel.h - the state of the Windows that runs on a machine. There is one at
 * a time, because the WDK's signatures leave no other way to reach it. */
#ifndef API_CORE_KERNEL_H
#define API_CORE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/bugcheck.h"
#include "api/core/driver.h"
#include "api/core/faults.h"
#include "api/core/rules.h"
#include "api/core/rulings.h"
#include "api/ex/pool.h"
#include "api/hal/arbiter.h"
#include "api/hal/pmu.h"
#include "api/image/native.h"
#include "api/io/io.h"
#include "api/ke/code.h"
#include "api/ke/counter_config.h"
#include "api/ke/ipi.h"
#include "api/ke/irql.h"
#include "api/ke/spinlock.h"
#include "api/nt/profile.h"
#include "api/pcw/pcw.h"
#include "sim/machine/machine.h"

/* What the kernel keeps for each processor. */
struct processor {
    struct irql_state irql;
    const struct driver *handler_of; /* whose handler runs here; NULL: none */
    bool in_pmi;        /* the HAL services an overflow interrupt */
    uint8_t *area;      /* guest memory: what is at GS; NULL: not needed yet */
    uint32_t servicing; /* interrupts under way, by row of interrupt.c */
    uint32_t broadcast; /* the last one that it took part in */
};

struct kernel {
    struct machine *machine;
    const struct os_row *os;
    const struct arch_row *arch;
    enum arch arch_id;
    struct rulings rulings; /* a boot sets the defaults; flipped behind it */
    struct processor *processor; /* one for each of the machine's */
    struct hal_pmu pmu;          /* the same on every processor */
    struct arbiter arbiter;
    struct counter_config config;
    struct ipi ipi;
    struct rule_log rules;         /* kept from one boot to the next, emptied */
    struct spinlock_log spinlocks; /* the same */
    struct io io;
    struct pool pool;
    struct bugcheck bugcheck;
    struct pcw pcw;
    struct native native;
    struct faults faults; /* calls that are to fail */
    /* The host's function behind an address that an actor gave as code; NULL:
     * there is none. Left out, addresses are the host's own. */
    code_function *(*code_at)(uint64_t address);
};

/* Starts Windows on a machine that was just reset: the HAL takes the PMU's
 * interrupt on every processor. The pair of version and architecture exists. */
void kernel_boot(
    struct kernel *kernel, struct machine *machine, enum os os, enum arch arch);

void kernel_release(struct kernel *kernel);

/* The one that booted last. */
struct kernel *kernel_current(void);

/* The processor that runs the caller, which is code of a strand. */
struct cpu *kernel_cpu(struct kernel *kernel);

/* The driver on whose behalf `cpu` runs code now; NULL: nobody's. */
const struct driver *kernel_driver(struct kernel *kernel, struct cpu *cpu);

struct processor *kernel_processor(
    struct kernel *kernel, const struct cpu *cpu);

#endif
