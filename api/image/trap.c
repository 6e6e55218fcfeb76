/* trap.c - from a host's signal in a driver's code to the kernel's own stack.
 *
 * A handler does next to nothing: it keeps the driver's registers in the frame
 * and returns to trap_land() on the strand's stack, where kernel code may wait,
 * be preempted or raise. Only a pageable page that may be touched is opened at
 * once. */
#define _GNU_SOURCE
#include "api/image/trap.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/image/fault.h"
#include "api/image/gate.h"
#include "api/image/guest.h"
#include "api/image/host.h"
#include "api/image/native.h"
#include "api/image/step.h"

volatile sig_atomic_t trap_time_is_up;

#if defined(__x86_64__)

#include <sys/platform/x86.h>

static const int signals[] = {
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGPROF};

enum {
    SIGNALS = sizeof(signals) / sizeof(signals[0]),
    EFLAGS_TF = 1 << 8,
    EFLAGS_DF = 1 << 10,
    EFLAGS_AC = 1 << 18,
    TRAP_DEBUG = 1,
};

/* Selectors of the host's code and stack, in the upper and lowest quarter of
 * REG_CSGSFS; the driver may have loaded others. */
#define SELECTORS_MASK UINT64_C(0xFFFF00000000FFFF)
#define SELECTORS UINT64_C(0x002B000000000033)

/* guest_x64.S: the handler, which gives the host's code back what it cannot run
 * without and goes on in trap_on_signal(). */
void guest_signal_entry(int signal, siginfo_t *info, void *context);
bool trap_on_signal(int signal, siginfo_t *info, void *context);

static struct sigaction before[SIGNALS];
static bool installed;

/* In the order of enum guest_register. */
static const int general[GUEST_REGISTERS] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX,
    REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11,
    REG_R12, REG_R13, REG_R14, REG_R15};

/* Behind the handler, on the strand's stack. */
static _Noreturn void trap_land(struct guest_frame *frame)
{
    assert(guest_running == NULL);
    assert((uintptr_t)__builtin_frame_address(0) < frame->host_sp);
    __builtin_ia32_ldmxcsr(0x1F80);
    __asm__ volatile("fninit"); /* the frame has what the driver left there */
    native_check_time(frame->kernel);
    fault_handle(frame);
    guest_go_on(frame);
}

static void general_registers(
    const greg_t *gregs, uint64_t registers[GUEST_REGISTERS])
{
    for (unsigned i = 0; i < GUEST_REGISTERS; i++) {
        registers[i] = (uint64_t)gregs[general[i]];
    }
}

/* Whether it is a step of step.h that makes no difference: TF stays set. */
static bool goes_on_stepping(
    const struct guest_frame *frame, int signal, const greg_t *gregs)
{
    uint64_t registers[GUEST_REGISTERS];

    if (signal != SIGTRAP || gregs[REG_TRAPNO] != TRAP_DEBUG ||
        frame->stepping || !step_is_on(frame->kernel)) {
        return false;
    }
    general_registers(gregs, registers);
    return step_passes(frame->kernel, (uint64_t)gregs[REG_RIP], registers);
}

static void keep_registers(struct guest_frame *frame, const ucontext_t *uc)
{
    const mcontext_t *machine = &uc->uc_mcontext;

    general_registers(machine->gregs, frame->registers.general);
    frame->registers.rip = (uint64_t)machine->gregs[REG_RIP];
    frame->registers.rflags = (uint64_t)machine->gregs[REG_EFL];
    if (step_is_on(frame->kernel) && !frame->stepping) {
        frame->registers.rflags &= ~(uint64_t)EFLAGS_TF; /* was ours */
    }
    memcpy(frame->registers.fx, machine->fpregs, GUEST_FX_BYTES);
    frame->by_call = false;
}

/* Going on in the driver's code failed, at an address that is none: the frame
 * has the registers already. */
static bool is_resuming(const struct guest_frame *frame, const greg_t *gregs)
{
    return (uintptr_t)gregs[REG_RIP] == (uintptr_t)guest_iretq &&
           (uint64_t)gregs[REG_RSP] ==
               (frame->host_sp & ~UINT64_C(15)) - 5 * sizeof(uint64_t);
}

/* The host's handler for the signal from before ours: it is no driver's. */
static void pass_on(int signal)
{
    for (unsigned i = 0; i < SIGNALS; i++) {
        if (signals[i] == signal) {
            /* It comes again at once, to the handler before. */
            sigaction(signal, &before[i], NULL);
        }
    }
}

/* Between driver and kernel nobody is interrupted: whoever asks for the time
 * does so behind the crossing, and a driver that counted on TF to stop there,
 * where registers may be ours, is let on without. Returns whether it goes on.
 */
static bool goes_on_crossing(int signal, greg_t *gregs)
{
    uint64_t rip = (uint64_t)gregs[REG_RIP];

    if (signal == SIGILL && gate_knocks(rip)) {
        gregs[REG_RIP] = (greg_t)(uintptr_t)guest_cross_entry;
        return true;
    }
    if (!guest_is_crossing(rip) || (signal != SIGPROF && signal != SIGTRAP)) {
        return false;
    }
    gregs[REG_EFL] &= ~(greg_t)EFLAGS_TF;
    return true;
}

/* Returns whether the interrupted code goes on where it was, with the FS that
 * it had; else the kernel does, on the strand's stack. */
bool trap_on_signal(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    greg_t *gregs = uc->uc_mcontext.gregs;
    struct guest_frame *frame = guest_running;

    if (signal == SIGPROF) {
        trap_time_is_up = 1;
    }
    if (frame == NULL) {
        if (signal != SIGPROF &&
            (signal != SIGSEGV || !fault_opens_for_kernel(info->si_addr))) {
            pass_on(signal);
        }
        return true;
    }
    if (goes_on_crossing(signal, gregs) ||
        goes_on_stepping(frame, signal, gregs)) {
        return true;
    }
    frame->trap = (struct guest_trap){
        .signal = signal,
        .number = (uint32_t)gregs[REG_TRAPNO],
        .error = (uint64_t)gregs[REG_ERR],
        .address = (uint64_t)(uintptr_t)info->si_addr,
        .code = info->si_code,
    };
    if (signal == SIGSEGV && fault_opens_page(frame)) {
        return true;
    }
    if (!is_resuming(frame, gregs)) {
        keep_registers(frame, uc);
    }
    guest_running = NULL;
    gregs[REG_RIP] = (greg_t)(uintptr_t)trap_land;
    /* As if called: the stack is 8 off a multiple of 16. */
    gregs[REG_RSP] = (greg_t)((frame->host_sp & ~UINT64_C(15)) - 8);
    gregs[REG_RDI] = (greg_t)(uintptr_t)frame;
    gregs[REG_RBP] = 0;
    gregs[REG_CSGSFS] =
        (greg_t)(((uint64_t)gregs[REG_CSGSFS] & ~SELECTORS_MASK) | SELECTORS);
    gregs[REG_EFL] &= ~(greg_t)(EFLAGS_TF | EFLAGS_DF | EFLAGS_AC);
    return false;
}

/* Of the C library, which has asked the host already. The compiler's own way
 * asks again whenever the program starts, and a virtual machine answers slowly.
 */
static enum guest_vectors host_vectors(void)
{
    return CPU_FEATURE_ACTIVE(AVX512F) ? GUEST_AVX512
           : CPU_FEATURE_ACTIVE(AVX)   ? GUEST_AVX
                                       : GUEST_SSE;
}

/* For a thread without a signal stack. The kernel's part of a signal's frame
 * alone may take some kilobytes. */
enum { SIGNAL_STACK_BYTES = 64 * 1024 };
static unsigned char signal_stack[SIGNAL_STACK_BYTES];

static bool give_signal_stack(void)
{
    const stack_t own = {
        .ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};
    stack_t present;

    return sigaltstack(NULL, &present) == 0 &&
           ((present.ss_flags & SS_DISABLE) == 0 ||
               sigaltstack(&own, NULL) == 0);
}

bool trap_install(void)
{
    struct sigaction action = {.sa_sigaction = guest_signal_entry,
        .sa_flags = SA_SIGINFO | SA_ONSTACK};

    if (installed) {
        return true;
    }
    if (!give_signal_stack()) {
        return false;
    }
    if (!gate_open()) {
        return false;
    }
    guest_has_wrfsbase = host_has_fsgsbase();
    guest_vectors = (uint8_t)host_vectors();
    trap_time_is_up = 0;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGPROF);
    for (unsigned i = 0; i < SIGNALS; i++) {
        if (sigaction(signals[i], &action, &before[i]) != 0) {
            return false;
        }
    }
    installed = true;
    return true;
}

void trap_remove(void)
{
    gate_close();
    for (unsigned i = 0; installed && i < SIGNALS; i++) {
        sigaction(signals[i], &before[i], NULL);
    }
    installed = false;
}

#endif
