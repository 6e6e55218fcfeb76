/* emulate.c - the instructions that the machine answers instead of the host, a
 * function each. */
#include "api/image/emulate.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/run_end.h"
#include "api/hal/register_access.h"
#include "api/image/fault.h"
#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/instruction.h"
#include "api/image/native.h"
#include "api/ke/irql.h"
#include "sim/machine/cpuid.h"
#include "sim/machine/msr.h"
#include "sim/machine/strand.h"
#include "sim/machine/system_registers.h"

/* What instructions cost; our own figures (docs/fidelity.md). */
enum {
    CYCLES_CR8_READ = 5,
    CYCLES_CR8_WRITE = 20,
    CYCLES_FLAGS = 10, /* CLI, STI, PUSHF, POPF */
    CYCLES_RDTSC = 25,
    CYCLES_PAUSE = 40,
};

#define EFLAGS_IF (UINT64_C(1) << 9)

struct emulation {
    struct guest_frame *frame;
    struct kernel *kernel;
    struct cpu *cpu;
    uint64_t *general; /* the frame's */
    struct instruction instruction;
};

static void spend(struct emulation *e, uint64_t cycles)
{
    cpu_spend(e->cpu, cycles, 1);
    cpu_checkpoint(e->cpu);
    assert(kernel_cpu(e->kernel) == e->cpu); /* nobody else moves a thread */
}

static uint64_t edx_eax(const struct emulation *e)
{
    return (e->general[GUEST_RDX] & UINT32_MAX) << 32 |
           (e->general[GUEST_RAX] & UINT32_MAX);
}

static void set_edx_eax(struct emulation *e, uint64_t value)
{
    e->general[GUEST_RAX] = value & UINT32_MAX;
    e->general[GUEST_RDX] = value >> 32;
}

static void emulate_rdmsr(struct emulation *e)
{
    set_edx_eax(
        e, register_read(e->kernel, e->cpu, (uint32_t)e->general[GUEST_RCX]));
}

static void emulate_wrmsr(struct emulation *e)
{
    register_write(
        e->kernel, e->cpu, (uint32_t)e->general[GUEST_RCX], edx_eax(e));
}

static void emulate_rdpmc(struct emulation *e)
{
    uint64_t value = 0;

    if (msr_rdpmc(e->cpu, (uint32_t)e->general[GUEST_RCX], RING_KERNEL, true,
            &value) != MSR_OK) {
        fault_raise(e->frame, STATUS_PRIVILEGED_INSTRUCTION);
    }
    set_edx_eax(e, value);
}

static void emulate_mov_cr8(struct emulation *e)
{
    uint64_t *reg = &e->general[e->instruction.reg];

    assert(e->instruction.reg < GUEST_REGISTERS);
    if (!e->instruction.to_special) {
        spend(e, CYCLES_CR8_READ);
        *reg = irql_current(e->kernel, e->cpu);
        return;
    }
    if (*reg > 15) {
        fault_raise(e->frame, STATUS_PRIVILEGED_INSTRUCTION);
    }
    cpu_spend(e->cpu, CYCLES_CR8_WRITE, 1);
    irql_write_cr8(e->kernel, e->cpu, (uint8_t)*reg);
}

static void emulate_cli(struct emulation *e)
{
    cpu_disable_interrupts(e->cpu);
    spend(e, CYCLES_FLAGS);
}

/* Whether HLT is next: it is no site of the patches, so it is as it was. */
static bool is_before_hlt(const struct emulation *e)
{
    const uint8_t *next = (const uint8_t *)(uintptr_t)e->frame->registers.rip +
                          e->instruction.length;

    return memory_is_resident(&e->kernel->machine->memory, next, 1) &&
           *next == 0xF4;
}

/* Interrupts are taken one instruction later (SDM volume 2, STI), which matters
 * before HLT only: it has to end with the one that waits. */
static void emulate_sti(struct emulation *e)
{
    cpu_enable_interrupts(e->cpu);
    cpu_spend(e->cpu, CYCLES_FLAGS, 1);
    if (!is_before_hlt(e)) {
        cpu_checkpoint(e->cpu);
    }
}

struct halt {
    const struct cpu *cpu;
    uint64_t taken;
};

static bool halt_is_over(void *context)
{
    const struct halt *halt = context;

    return halt->cpu->taken != halt->taken;
}

/* Until an interrupt has been taken. */
static void emulate_hlt(struct emulation *e)
{
    struct halt halt = {.cpu = e->cpu, .taken = e->cpu->taken};

    strand_wait(e->kernel->machine, STRAND_SPINNING, halt_is_over, &halt);
    assert(kernel_cpu(e->kernel) == e->cpu && e->cpu->taken > halt.taken);
}

/* What the WDK's __fastfail, NT_ASSERT and debug print use. */
static void emulate_int(struct emulation *e)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = e->general[GUEST_RCX]}};

    switch (e->instruction.number) {
    case INSTRUCTION_FAST_FAIL:
        rule_stop(
            e->kernel, e->cpu, RULE_CODE_FASTFAIL, ROUTINE_COUNT, parameter);
    case INSTRUCTION_ASSERT:
        fault_raise(e->frame, STATUS_ASSERTION_FAILURE);
    case INSTRUCTION_DEBUG_SERVICE:
        fault_raise(e->frame, STATUS_BREAKPOINT);
    default:
        /* No gate there: a general protection fault. */
        fault_raise(e->frame, STATUS_ACCESS_VIOLATION);
    }
}

static void emulate_int3(struct emulation *e)
{
    /* There is no debugger. */
    fault_raise(e->frame, STATUS_BREAKPOINT);
}

static void emulate_cpuid(struct emulation *e)
{
    uint32_t out[4];

    cpuid_read(e->cpu, (uint32_t)e->general[GUEST_RAX], out);
    e->general[GUEST_RAX] = out[0];
    e->general[GUEST_RBX] = out[1];
    e->general[GUEST_RCX] = out[2];
    e->general[GUEST_RDX] = out[3];
}

static void emulate_rdtsc(struct emulation *e)
{
    spend(e, CYCLES_RDTSC);
    set_edx_eax(e, system_tsc(e->cpu));
}

static void emulate_rdtscp(struct emulation *e)
{
    emulate_rdtsc(e);
    e->general[GUEST_RCX] = e->cpu->index;
}

static void emulate_pause(struct emulation *e)
{
    spend(e, CYCLES_PAUSE);
}

/* Bytes that PUSHF and POPF move. */
static size_t flags_bytes(const struct emulation *e)
{
    assert(e->instruction.kind >= INSTRUCTION_PUSHF &&
           e->instruction.kind <= INSTRUCTION_POPFQ);
    return e->instruction.kind == INSTRUCTION_PUSHF ||
                   e->instruction.kind == INSTRUCTION_POPF
               ? 2
               : 8;
}

static void *flags_at(struct emulation *e, uint64_t sp)
{
    if (!guest_on_stack(e->kernel, sp, flags_bytes(e))) {
        guest_stack_stop(e->kernel);
    }
    return (void *)(uintptr_t)sp;
}

/* The flag that the host has is always set; the processor's is the machine's.
 */
static void emulate_pushf(struct emulation *e)
{
    uint64_t flags = e->frame->registers.rflags & ~EFLAGS_IF;
    uint64_t sp = e->general[GUEST_RSP] - flags_bytes(e);

    flags |= e->cpu->interrupts_off ? 0 : EFLAGS_IF;
    memcpy(flags_at(e, sp), &flags, flags_bytes(e));
    e->general[GUEST_RSP] = sp;
    spend(e, CYCLES_FLAGS);
}

static void emulate_popf(struct emulation *e)
{
    const uint64_t arithmetic = 0xCD5; /* CF PF AF ZF SF DF OF */
    uint64_t flags = 0;

    memcpy(&flags, flags_at(e, e->general[GUEST_RSP]), flags_bytes(e));
    e->general[GUEST_RSP] += flags_bytes(e);
    e->frame->registers.rflags =
        (e->frame->registers.rflags & ~arithmetic) | (flags & arithmetic);
    if ((flags & EFLAGS_IF) != 0) {
        cpu_enable_interrupts(e->cpu);
    } else {
        cpu_disable_interrupts(e->cpu);
    }
    spend(e, CYCLES_FLAGS);
}

static void (*const functions[INSTRUCTION_KINDS])(struct emulation *) = {
    [INSTRUCTION_RDMSR] = emulate_rdmsr,
    [INSTRUCTION_WRMSR] = emulate_wrmsr,
    [INSTRUCTION_RDPMC] = emulate_rdpmc,
    [INSTRUCTION_MOV_CR8] = emulate_mov_cr8,
    [INSTRUCTION_CLI] = emulate_cli,
    [INSTRUCTION_STI] = emulate_sti,
    [INSTRUCTION_HLT] = emulate_hlt,
    [INSTRUCTION_INT] = emulate_int,
    [INSTRUCTION_INT3] = emulate_int3,
    [INSTRUCTION_CPUID] = emulate_cpuid,
    [INSTRUCTION_RDTSC] = emulate_rdtsc,
    [INSTRUCTION_RDTSCP] = emulate_rdtscp,
    [INSTRUCTION_PAUSE] = emulate_pause,
    [INSTRUCTION_PUSHF] = emulate_pushf,
    [INSTRUCTION_PUSHFQ] = emulate_pushf,
    [INSTRUCTION_POPF] = emulate_popf,
    [INSTRUCTION_POPFQ] = emulate_popf,
};

/* The instruction that stands at RIP, or stood there before it was patched. */
static bool read_instruction(
    struct guest_frame *frame, struct instruction *instruction)
{
    uint64_t rip = frame->registers.rip;
    const struct image *image = image_at(frame->kernel, rip);
    struct instruction_memo *memo = frame->kernel->native->trapped;
    const struct memory *memory = &frame->kernel->machine->memory;
    const uint8_t *code = (const uint8_t *)(uintptr_t)rip;
    size_t available;
    const struct patch_site *site;

    if (image == NULL || !image_is_code(frame->kernel, rip)) {
        return false;
    }
    site = patch_find(&image->patch, (uint32_t)(code - image->base));
    if (site != NULL) {
        return instruction_memo_decode(
            memo, NATIVE_TRAPPED, site->bytes, site->length, instruction);
    }
    available = memory_resident_bytes(memory, code, INSTRUCTION_MAX_BYTES);
    return instruction_memo_decode(
        memo, NATIVE_TRAPPED, code, available, instruction);
}

bool emulate_instruction(struct guest_frame *frame)
{
    struct emulation e = {
        .frame = frame,
        .kernel = frame->kernel,
        .cpu = kernel_cpu(frame->kernel),
        .general = frame->registers.general,
    };
    const struct instruction_row *row;
    char place[PLACE_BYTES];

    if (!read_instruction(frame, &e.instruction) ||
        e.instruction.kind == INSTRUCTION_OTHER) {
        return false;
    }
    row = &instruction_rows[e.instruction.kind];
    assert((row->machine == INSTRUCTION_EMULATED) ==
           (functions[e.instruction.kind] != NULL));
    switch (row->machine) {
    case INSTRUCTION_EMULATED:
        functions[e.instruction.kind](&e);
        assert(frame == guest_innermost(frame->kernel));
        frame->registers.rip += e.instruction.length;
        break;
    case INSTRUCTION_UNDEFINED:
        fault_raise(frame, STATUS_ILLEGAL_INSTRUCTION);
    case INSTRUCTION_NOT_MODELLED:
        place_name(frame->kernel, frame->registers.rip, place, sizeof(place));
        run_end_stop(frame->kernel, RUN_NOT_MODELLED,
            "the driver executed %s at %s, which is not modelled", row->name,
            place);
    }
    return true;
}
