/* cpu.h - one logical processor: its time, its PMU, its interrupts. */
#ifndef SIM_MACHINE_CPU_H
#define SIM_MACHINE_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/trace.h"
#include "sim/machine/lapic.h"
#include "sim/machine/system_registers.h"
#include "sim/pmu/pmu.h"

struct armv8_pmu;
struct machine;
struct msr_map;
struct strand;

#define CPU_NEVER UINT64_MAX

struct cpu {
    /* What every register access looks at. */
    struct machine *machine;
    struct trace *trace;           /* the machine's */
    const struct msr_map *msr_map; /* of its model */
    uint64_t time;                 /* cycles since the machine began */
    uint64_t quiet;                /* quiet.h */
    uint64_t halted;               /* cycles of it in which it did not run */
    struct burst *burst;           /* of its PMU */
    uint64_t *points;       /* left to the strand to pass; with `leads` */
    uint32_t access_cycles; /* of the model: what an access takes */
    uint32_t index;         /* system-wide */
    uint16_t group;
    uint8_t number;   /* in its group */
    uint64_t leads;   /* quiet.h; 0: to be asked */
    uint64_t taken;   /* interrupts so far */
    uint64_t pmi_due; /* when the PMU asks for a PMI; CPU_NEVER: it does not */
    uint64_t pmi_lands; /* when one that LVTPC accepted is pending; or NEVER */
    uint8_t pmi_vector; /* of that one */
    uint8_t pmi_kept;   /* how often it was, schedule_keeps() */
    uint64_t sent_at;   /* when the last interrupt came that another one sent */
    bool interrupts_off; /* EFLAGS.IF is 0; an NMI comes all the same */
    uint32_t interrupts; /* taken, and not returned from */
    bool idles;          /* it takes an interrupt that may leave */
    bool idle_off;       /* `interrupts_off` before that */
    struct lapic lapic;
    /* Of that interrupt: what is left to be done of one that has left its
     * stack, else NULL. */
    void (*rest)(void *context, struct cpu *cpu);
    struct strand *current;      /* occupies the processor */
    struct strand *first, *last; /* strands that wait for their turn */
    void *local;                 /* the layer above's; NULL at first */
    struct armv8_pmu *armv8;     /* instead of `pmu` on Arm's; else NULL */
    uint64_t stood; /* cycles of its time in which it stood still (schedule.h)
                     */
    struct system_registers system;
    struct pmu pmu;
};

/* The cycles of its time in which it ran. */
static inline uint64_t cpu_unhalted(const struct cpu *cpu)
{
    return cpu->time - cpu->halted;
}

/* Its time without that in which it was kept from going on: what code on it is
 * to answer for. */
static inline uint64_t cpu_own_time(const struct cpu *cpu)
{
    return cpu->time - cpu->stood;
}

/* It has nothing to do before `time`: nothing counts. */
static inline void cpu_halt_until(struct cpu *cpu, uint64_t time)
{
    if (cpu->time < time) {
        cpu->halted += time - cpu->time;
        cpu->time = time;
    }
}

/* The state after RESET. The model must outlive the processor, and so must the
 * map of its registers. */
void cpu_init(struct cpu *cpu, struct machine *machine, uint32_t index,
    const struct pmu_model *model, const struct msr_map *map);

/* Whether it is the one of its index, its strands are its own, and its APIC and
 * PMU are sound; asserts each part. */
bool cpu_check(const struct cpu *cpu);

/* Kernel code: `cycles` pass in the kernel ring and `instructions` retire.
 * Interrupts stay pending until the next preemption point. */
void cpu_spend(struct cpu *cpu, uint64_t cycles, uint64_t instructions);

/* `count` times the event, at once, by code in `ring`: through the same
 * counters and with the same interrupts as what a segment brings. */
void cpu_add_events(
    struct cpu *cpu, enum event event, uint64_t count, enum ring ring);

/* A preemption point: processors with an earlier time go first, then what is
 * pending and allowed here is delivered, highest vector first. */
void cpu_checkpoint(struct cpu *cpu);

/* The end of that: what is pending and allowed is delivered. */
void cpu_deliver(struct cpu *cpu);

/* Runs a segment from its beginning to its end, with every overflow at its
 * cycle and interrupts in between as they arrive. */
void cpu_run_segment(struct cpu *cpu, const struct segment *segment);

/* The kernel spins for this long (LIMIT_SEGMENT_CYCLES at most), taking
 * interrupts as they arrive. */
void cpu_stall(struct cpu *cpu, uint64_t cycles);

/* A fixed interrupt that a processor sends at machine time `time` arrives here,
 * where whatever runs or idles takes it as soon as it may. */
void cpu_send(struct cpu *cpu, uint8_t vector, uint64_t time);

/* Idles until no PMI is on its way to this processor. */
void cpu_settle(struct cpu *cpu);

/* The same as the strand of a processor that has nothing else to do. Thousands
 * may be in the middle of an interrupt at once, so those need no stack: */
void cpu_idle(void *cpu);

/* From within an interrupt: whether all of its caller's callers are prepared to
 * return at once, without having done any more. Nothing of what was interrupted
 * is on the stack then. */
static inline bool cpu_may_leave(const struct cpu *cpu)
{
    return cpu->idles && cpu->interrupts == 1;
}

/* There: spins until condition(context) holds. True: it does not yet, and the
 * caller returns; rest(), with the context of machine_on_interrupt(), goes on
 * then in its place. */
bool cpu_leave_waiting(struct cpu *cpu, bool (*condition)(void *context),
    void *context, void (*rest)(void *context, struct cpu *cpu));

/* The same of a preemption point: true where others go first. */
bool cpu_leave(struct cpu *cpu, void (*rest)(void *context, struct cpu *cpu));

/* Whether that has happened. */
static inline bool cpu_has_left(const struct cpu *cpu)
{
    return cpu->rest != NULL;
}

/* Spins for this long: what a processor does that waits and keeps itself. */
void cpu_spin(struct cpu *cpu, uint64_t cycles);

/* When something happens to a processor that spins: an interrupt, or an
 * overflow by the spinning itself. CPU_NEVER: nothing. */
uint64_t cpu_spin_time(const struct cpu *cpu);

/* CLI and STI. An interrupt begins with CLI and ends with IRET, which brings
 * back what was there before. */
static inline void cpu_disable_interrupts(struct cpu *cpu)
{
    cpu->interrupts_off = true;
}

static inline void cpu_enable_interrupts(struct cpu *cpu)
{
    cpu->interrupts_off = false;
}

/* Sets TPR[7:4] as MOV CR8 does, then takes what that allows. */
void cpu_set_task_priority(struct cpu *cpu, unsigned class);

/* When a processor that waits has an interrupt to take. CPU_NEVER: none. */
uint64_t cpu_interrupt_time(const struct cpu *cpu);

/* For observers, without cost or effect: the model; and the counters that are
 * enabled in all their registers, as bits of the vendor's status. */
const struct pmu_model *cpu_model(const struct cpu *cpu);
uint64_t cpu_counters_enabled(const struct cpu *cpu);

/* Adds a record at this processor's time: the values of the kind's fields in
 * their order. What works them out is not called without a trace. */
#define cpu_trace(cpu, kind, ...)                                              \
    (cpu_is_traced(cpu) ? cpu_trace_now(cpu, kind, __VA_ARGS__) : (void)0)
/* The same where it is known that there is a trace. */
#define cpu_trace_now(cpu, kind, ...)                                          \
    cpu_trace_values(cpu, kind, (const uint64_t[TRACE_VALUES]){__VA_ARGS__})
static inline bool cpu_is_traced(const struct cpu *cpu)
{
    return __builtin_expect(!cpu->trace->off, false);
}
void cpu_trace_values(const struct cpu *cpu, const struct trace_kind *kind,
    const uint64_t value[TRACE_VALUES]);

#endif
