/* kernel.h - the record of the Windows that runs on a machine. There is one at
 * a time, because the WDK's signatures leave no other way to reach it. Knows of
 * the rooms above that they keep something here, and not what. */
#ifndef API_CORE_KERNEL_H
#define API_CORE_KERNEL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/core/bugcheck.h"
#include "api/core/driver.h"
#include "api/core/faults.h"
#include "api/core/float_saves.h"
#include "api/core/irql_state.h"
#include "api/core/rules.h"
#include "api/core/ruling.h"
#include "api/core/run_end.h"
#include "api/nt/profile.h"
#include "sim/machine/machine.h"
#include "sim/machine/strand.h"

/* A level that stays raised until a wait (ke/wait_pair.c). */
struct wait_pair {
    const struct kthread *thread;
    uint32_t depth; /* raises before it */
    uint8_t irql;   /* before it */
};

/* Those who service interrupts: processor.servicing has a bit for each. */
enum { INTERRUPT_SOURCES = 32 };

/* What the kernel keeps for each processor. */
struct processor {
    /* What every interrupt looks at, and the level's first words. */
    const struct driver *handler_of; /* whose handler runs here; NULL: none */
    uint32_t servicing;        /* interrupts under way, by row of interrupt.c */
    uint32_t broadcast;        /* the last one that it took part in */
    uint64_t interrupt_cycles; /* spent in interrupts so far */
    /* Before an interrupt that has left its stack (ke/interrupt.h). */
    struct irql_interrupted interrupted;
    bool quantum_over;
    struct irql_state irql;
    bool in_pmi;   /* the HAL services an overflow interrupt */
    uint8_t *area; /* guest memory: what is at GS; NULL: not needed yet */
    struct kthread *shown;       /* there, as the one that runs; NULL: none */
    bool called;                 /* a cross call's work is to be done here */
    struct kthread *idle;        /* its thread of that name; NULL: not yet */
    struct clock_timer *quantum; /* of who runs; NULL: none was needed */
    bool dispatching;            /* its software interrupt is under way */
    bool in_dpc;                 /* the routine of a DPC runs */
    struct dpc_processor *dpcs;  /* NULL: it has had none yet */
    struct clock_timer *first_due, *last_due; /* whose tick has come */
    /* Of the spin that is watched here; NULL: none is. */
    struct clock_timer *spin_limit;
    /* Told of the next call of a routine here before it is checked; NULL:
     * nobody is. */
    void (*before_call)(
        struct kernel *kernel, struct cpu *cpu, enum routine routine);
    struct wait_pair pair; /* the last one */
};

/* What rooms above have to say to those below, told at boot (boot/boot.c has
 * all of it). Each is described where it is asked; lists are asked in their
 * order and end with NULL. */
struct kernel_hooks {
    const struct routine_entry *entries; /* by enum routine */
    const struct code_source *native_code;
    const struct place_finder *places;
    const struct gate_observer *const *observers;
    const struct show_namer *const *namers;
    const struct leak_source *const *leaks;
    /* Whether something keeps the code of a driver that is unloaded. */
    bool (*const *keepers)(
        const struct kernel *kernel, const struct driver *driver);
    const struct block_watcher *const *block_watchers;
    const struct interrupt_source *const *interrupts;
    void (*device_interrupt)(
        struct kernel *kernel, struct cpu *cpu, unsigned line);
    const struct dispatch_work *const *dispatch_work;
    const struct switch_watcher *const *switches;
    /* The process or the thread that runs, where the handle is -1 or -2, and
     * the program of a process (api/ob/handle_use.h). */
    struct counted_object *(*self_object)(
        struct kernel *kernel, const void *handle);
    const struct driver *(*program_of)(const struct counted_object *process);
    /* Runs what is queued to the running thread and may run. */
    void (*run_apcs)(struct kernel *kernel, struct kthread *thread);
    /* The machine has stopped for a bug check: what is done before its end, on
     * the processor that stopped it. */
    void (*bug_check)(struct kernel *kernel, struct cpu *cpu);
    /* A program has ended. */
    void (*const *process_ends)(
        struct kernel *kernel, const struct driver *program);
};

struct kernel {
    struct machine *machine;
    const struct os_row *os;
    const struct arch_row *arch;
    enum arch arch_id;
    struct rulings rulings; /* a boot sets the defaults; flipped behind it */
    bool verifier;          /* Driver Verifier is on; a boot turns it off */
    uint8_t irql_high;      /* the architecture's HIGH_LEVEL */
    /* Task priority classes, by IRQL; and who services a vector, by row of
     * interrupt.c from 1; 0: nobody. */
    uint8_t irql_class[IRQL_LEVELS];
    uint8_t source_of[UINT8_MAX + 1];
    uint8_t source_irql[INTERRUPT_SOURCES]; /* the level of each */
    unsigned sources; /* of the kernel's own; behind them are devices' */
    struct processor *processor; /* one for each of the machine's */
    struct rule_log rules;       /* kept from one boot to the next, emptied */
    struct bugcheck bugcheck;
    struct run_end end;              /* another end than a bug check */
    struct faults faults;            /* calls that are to fail */
    struct float_saves float_saves;  /* that are not restored */
    struct missing_imports *missing; /* what drivers import and is not there */
    const struct kernel_hooks *hooks;
    /* The host's function behind an address that an actor gave as code; NULL:
     * there is none. Left out, addresses are the host's own. */
    code_function *(*code_at)(uint64_t address);
    /* Routines that are answered for behind a boot; NULL: none. */
    struct answers *answers;
    /* What each room above keeps; made by the first boot. */
    struct boot_states *states;
    struct counter_config *config;
    struct ipi *ipi;
    struct cross_call *cross_call;
    struct nmi *nmi;
    struct bug_check_callbacks *bug_check_callbacks;
    struct processor_change *processor_change;
    struct spinlock_log *spinlocks;
    struct lock_table *locks;
    struct dispatch_table *dispatch_table;
    struct kthreads *threads;
    struct ps_processes *processes;
    struct dpcs *dpcs;
    struct timers *timers;
    struct ex_timers *ex_timers;
    struct works *works;
    struct lookasides *lookasides;
    struct registry *registry;
    struct open_keys *open_keys;
    struct volume *volume;
    struct open_files *open_files;
    struct clock *clock;
    struct timer_resolution *timer_resolution;
    struct io_interrupts *interrupts;
    struct handles *handles;
    struct profiling *profiling;
    struct pool *pool;
    struct mdls *mdls;
    struct claims *claims;
    struct subjects *subjects;
    struct given_state *given_memory;
    struct io *io;
    struct hal_pmu *pmu; /* one for each processor */
    struct arbiter *arbiter;
    struct pci *pci;
    struct event_buffers *event_buffers;
    struct usage *usage;
    struct profile *profile;
    struct pcw *pcw;
    struct native *native;
};

/* The one that booted last. */
struct kernel *kernel_current(void);

/* From now on it is the current one; or it is not, if it was. */
void kernel_enter(struct kernel *kernel);
void kernel_leave(const struct kernel *kernel);

/* Whether version, architecture and machine belong together, and the sources of
 * leaks, the rulings, the log and the levels are sound; asserts each part. Goes
 * through all processors: for the beginning of a kernel and a driver's end. */
bool kernel_check(const struct kernel *kernel);

/* Whether it runs in a virtual machine, as an observer knows. */
bool kernel_is_virtual(const struct kernel *kernel);

/* The processor that runs the caller, which is code of a strand. */
static inline struct cpu *kernel_cpu(struct kernel *kernel)
{
    const struct strand *strand = strand_current(kernel->machine);

    assert(strand != NULL);
    return strand->cpu;
}

/* The driver on whose behalf `cpu` runs code now; NULL: nobody's. */
const struct driver *kernel_driver(struct kernel *kernel, struct cpu *cpu);

static inline struct processor *kernel_processor(
    struct kernel *kernel, const struct cpu *cpu)
{
    assert(cpu->machine == kernel->machine);
    return cpu->local;
}

/* What ruling.h and irql_state.h promise of the record: asked all the time. */
static inline bool ruling_is(const struct kernel *kernel, enum ruled value)
{
    return rulings_have(&kernel->rulings, value);
}

static inline uint8_t irql_number(
    const struct kernel *kernel, enum irql_level level)
{
    return irql_level_number(level, kernel->arch_id);
}

static inline bool irql_state_check(
    const struct kernel *kernel, const struct irql_state *state)
{
    assert(state->current <= kernel->irql_high);
    assert(state->current >= state->least);
    return state->floor == state->depth || irql_raises_check(state);
}

static inline uint8_t irql_current(struct kernel *kernel, const struct cpu *cpu)
{
    return kernel_processor(kernel, cpu)->irql.current;
}

#endif
