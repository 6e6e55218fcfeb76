/* profiling.h - what is counted for a thread: the counters of the configuration
 * that it took with it, cycles, switches and why it waited. It goes on and is
 * halted as the thread does. Knows nothing of who asks (facts.md 4). */
#ifndef API_PS_PROFILING_H
#define API_PS_PROFILING_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/ke/thread_switch.h"
#include "api/nt/nt.h"
#include "api/ps/counter_config.h"
#include "sim/base/record_pool.h"

struct driver;
struct kernel;
struct kthread;

/* Of one thread. */
struct thread_profile {
    struct kthread *thread;
    const struct driver *process;
    uint64_t handle; /* that its owner has for it */
    ULONG flags;
    uint64_t mask; /* bit n: the n-th counter of the configuration */
    struct counter_config config; /* as it was when it was enabled */
    uint64_t total[MAX_HW_COUNTERS];
    uint64_t start[MAX_HW_COUNTERS]; /* what they held when it went on */
    uint64_t there; /* counters of the mask that were enabled meanwhile */
    uint64_t cycles;
    uint64_t since, interrupts; /* when it went on, and what had been spent in
                                   interrupts there until then */
    bool running;
    uint32_t processor; /* where it runs */
    uint32_t switches;
    uint64_t reasons; /* since the last read: bits by KWAIT_REASON */
    uint64_t updates; /* times that any of this has changed by a switch */
    uint32_t step;    /* of the actor that has enabled it; 0: none */
    struct thread_profile *next, *previous;
};

struct profiling {
    struct thread_profile *first; /* that are enabled, the newest first */
    struct record_pool pool;
    uint64_t enabled;             /* so far: no handle is used twice */
    const struct driver *process; /* the first that has enabled one */
};

/* Whether a counter of this array is counted for a thread (KHC-SET-14a [C]). */
bool profiling_uses(struct kernel *kernel, const struct counter_config *config);

/* Whether anything is counted for any thread. */
bool profiling_is_on(const struct kernel *kernel);

/* That of the handle; NULL: it is stale, or never was one. */
struct thread_profile *profiling_find(struct kernel *kernel, HANDLE handle);

/* Begins for the running thread. */
struct thread_profile *profiling_enable(
    struct kernel *kernel, const struct thread_profile *wanted);

void profiling_disable(struct kernel *kernel, struct thread_profile *profile);

/* A program has ended: its records are given back (HCP-DIS-02a). */
void profiling_process_ends(
    struct kernel *kernel, const struct driver *program);

/* Brings the figures of the running thread's up to now. */
void profiling_update(struct kernel *kernel, struct thread_profile *profile);

/* The selected counters that hold data: those of the configuration, if one of
 * them was ever enabled, and none in a virtual machine (HCP-RD-09a, HCP-RD-12).
 */
uint64_t profiling_counted(
    const struct kernel *kernel, const struct thread_profile *profile);

/* Who is told of switches (kernel_hooks). */
extern const struct switch_watcher profiling_switches;

/* What an application has not disabled: when it ends, the warning
 * leak.thread_profiling. */
extern const struct leak_source profiling_leaks;

#endif
