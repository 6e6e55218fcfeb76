/* lone_cpu.h - one processor and its PMU, for programs that want nothing else
 * of this project: registers, work that is counted, and the interrupt. It is
 * all that the library ntpmu_sim shows, in C and in C++; each name of it begins
 * with lone_ or LONE_. README.md beside this file shows how to link it,
 * docs/sample how to use it.
 *
 * Time is the processor's own cycles and passes in what is called here only. */
#ifndef SIM_LONE_CPU_H
#define SIM_LONE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can happen and be counted: LONE_INSTRUCTIONS and so on. */
#pragma push_macro("EVENT")
#undef EVENT
enum lone_event {
#define EVENT(name, ...) LONE_##name,
#include "sim/pmu/events.def"
    LONE_EVENTS /* how many there are */
};
#pragma pop_macro("EVENT")

enum lone_ring { LONE_KERNEL, LONE_USER };

/* LONE_INTEL and so on. */
#pragma push_macro("VENDOR")
#undef VENDOR
enum lone_vendor {
#define VENDOR(name, ...) LONE_##name,
#include "sim/pmu/vendors.def"
    LONE_VENDORS
};
#pragma pop_macro("VENDOR")

/* p/q. */
struct lone_ratio {
    uint64_t p, q;
};

/* What a processor has. sim/pmu/model_fields.def says what each figure is, and
 * which values it can have. */
#pragma push_macro("FIELD")
#undef FIELD
struct lone_model {
    const char *name;
    const char *title; /* a few words */
    enum lone_vendor vendor;
    uint32_t signature; /* CPUID.1 EAX; Arm: PMCR_EL0[31:16] */
#define LONE_TYPE_NUMBER uint32_t
#define LONE_TYPE_FLAG bool
#define LONE_TYPE_RATIO struct lone_ratio
#define FIELD(name, kind, ...) LONE_TYPE_##kind name;
#include "sim/pmu/model_fields.def"
#undef LONE_TYPE_NUMBER
#undef LONE_TYPE_FLAG
#undef LONE_TYPE_RATIO
};
#pragma pop_macro("FIELD")

/* The model with this name, "skylake"; NULL when there is none. A copy of it
 * with other figures is a model, too. */
const struct lone_model *lone_model_find(const char *name);

/* The n-th of all; NULL when there are not that many. */
const struct lone_model *lone_model_at(size_t n);

/* Why no processor can be like this, in words, also where `model` is NULL;
 * NULL: one can. */
const char *lone_model_problem(const struct lone_model *model);

struct lone_cpu;

/* A processor in the state after RESET, which the caller gives back with
 * lone_cpu_free(). `model` is copied. NULL when lone_model_problem() has
 * something to say about it, or when the host has no memory or address space
 * left. There may be several at once, and they do not know of each other: each
 * takes 6 GB of address space, and of memory what is used of it. None may be
 * used by two threads at the same time. */
struct lone_cpu *lone_cpu_make(const struct lone_model *model);

/* NULL is nothing. Not from within its handler, nor while it runs. */
void lone_cpu_free(struct lone_cpu *lone);

/* Who is called for every interrupt that the processor takes, with its vector
 * (2: an NMI); without anybody it stays pending. The handler runs as code of
 * the processor: it may do everything here, run included, but free it. A fixed
 * interrupt must be ended by a write to x2APIC MSR 80BH. */
void lone_cpu_on_interrupt(struct lone_cpu *lone,
    void (*handler)(void *context, uint8_t vector), void *context);

/* RDMSR and WRMSR by the manual's addresses. False: #GP, or something that a
 * real processor like the model does and the model does not (lone_cpu_lacks());
 * nothing has changed but the time. Each costs the model's msr_cycles and
 * retires an instruction. */
bool lone_cpu_rdmsr(struct lone_cpu *lone, uint32_t address, uint64_t *value);
bool lone_cpu_wrmsr(struct lone_cpu *lone, uint32_t address, uint64_t value);

/* Whether the part that the model is like has a register at the address, and
 * the model has not. */
bool lone_cpu_lacks(const struct lone_cpu *lone, uint32_t address);

/* RDPMC in the kernel ring, ECX = `selector`. */
bool lone_cpu_rdpmc(struct lone_cpu *lone, uint32_t selector, uint64_t *value);

/* EAX, EBX, ECX, EDX. */
void lone_cpu_cpuid(struct lone_cpu *lone, uint32_t leaf, uint32_t out[4]);

/* A system register of an Armv8 processor by its encoding; op0 is 2 or 3. */
#define LONE_SYSREG(op0, op1, crn, crm, op2)                                   \
    ((uint32_t)(op0) % 2 << 14 | (uint32_t)(op1) << 11 |                       \
        (uint32_t)(crn) << 7 | (uint32_t)(crm) << 3 | (uint32_t)(op2))

/* How an access to one ends; all but the first change nothing but the time. */
enum lone_access {
    LONE_DONE,
    LONE_UNDEFINED, /* at this level, or on a processor that is not Arm's */
    LONE_TRAPPED_TO_EL1,
    LONE_TRAPPED_TO_EL2,
};

/* MRS and MSR of a register of PMUv3 at exception level `el`, 0 to 2, at the
 * cost of RDMSR. The PMU's interrupt is a level that goes by the vector in
 * x2APIC MSR 834H, which such a processor has as well (docs/fidelity.md). */
enum lone_access lone_cpu_mrs(
    struct lone_cpu *lone, uint32_t reg, unsigned el, uint64_t *value);
enum lone_access lone_cpu_msr(
    struct lone_cpu *lone, uint32_t reg, unsigned el, uint64_t value);

/* `size` bytes, zeroed, of memory that the processor has at the same address as
 * the program, for DS area and buffer of PEBS; until lone_cpu_free(). NULL when
 * there is none left. */
void *lone_cpu_memory(struct lone_cpu *lone, size_t size);

/* How many records of PEBS were lost since RESET because DS area, buffer or
 * reset values did not lie in such memory. (One that does not fit into the
 * buffer is none of these: the manual lets the processor leave it out.) */
uint32_t lone_cpu_lost_records(const struct lone_cpu *lone);

/* A stretch of code. At least 1 cycle and at most 2^48; an event's total is
 * spread evenly over it, and is at most 64 a cycle. Totals of clocks (core, TSC
 * and reference cycles, slots) are 0: they follow from the cycles. */
struct lone_work {
    uint64_t cycles;
    enum lone_ring ring;
    uint64_t total[LONE_EVENTS];
};

/* Runs the work, with every overflow at its cycle, and the interrupts in
 * between as they come; then idles until no interrupt is on its way. False: the
 * work is none that can be (see above), and nothing has happened. */
bool lone_cpu_run(struct lone_cpu *lone, const struct lone_work *work);

/* Cycles since RESET. */
uint64_t lone_cpu_time(const struct lone_cpu *lone);

#ifdef __cplusplus
}
#endif

#endif
