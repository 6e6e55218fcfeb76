/* host_x86_64.c - the host's self-test on x86-64: the probes' bytes are called
 * in a page of their own. */
#define _GNU_SOURCE
#include "api/image/host.h"

#if defined(__x86_64__)

#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
    PAGE_BYTES = 4096,
    SLOT_BYTES = 16,
    STACK_BYTES = 64 * 1024,
    HWCAP2_FSGS = 2, /* AT_HWCAP2 bit 1: CR4.FSGSBASE is set */
};

static const uint8_t code[HOST_PROBES][SLOT_BYTES] = {
#define PROBE(name, text, signal, trap, instead, ...)                          \
    [HOST_##name] = {__VA_ARGS__},
#include "api/image/probes.def"
};

_Static_assert(sizeof(code) <= PAGE_BYTES, "the probes fit in their page");

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static struct host_trap caught; /* a handler has no argument of ours */

/* A probe has nothing on its stack: what traps goes on as its RET would. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
    ucontext_t *interrupted = context;
    greg_t *registers = interrupted->uc_mcontext.gregs;
    uintptr_t top = (uintptr_t)registers[REG_RSP];

    (void)info;
    caught = (struct host_trap){
        .traps = true,
        .signal = signal,
        .trap = (int)registers[REG_TRAPNO],
        .error = (uint64_t)registers[REG_ERR],
    };
    memcpy(&registers[REG_RIP], (const void *)top, sizeof(greg_t));
    registers[REG_RSP] += (greg_t)sizeof(greg_t);
}

static struct host_trap execute(const uint8_t *probe)
{
    void (*call)(void);

    caught = (struct host_trap){.traps = false};
    memcpy(&call, &probe, sizeof(call));
    call();
    return caught;
}

static void execute_all(struct host_traps *out, const uint8_t *page)
{
    struct sigaction old[SIGNALS];
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};

    action.sa_sigaction = on_signal;
    sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &action, &old[i]);
    }
    for (unsigned i = 0; i < HOST_PROBES; i++) {
        out->trap[i] = execute(page + sizeof(code[0]) * i);
    }
    for (unsigned i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &old[i], NULL);
    }
}

bool host_has_fsgsbase(void)
{
    static enum { UNKNOWN, NO, YES } known;

    if (known == UNKNOWN) {
        known = (getauxval(AT_HWCAP2) & HWCAP2_FSGS) != 0 ? YES : NO;
    }
    return known == YES;
}

void host_test(struct host_traps *out)
{
    stack_t stack = {.ss_size = STACK_BYTES}, old_stack;
    uint8_t *page;

    *out = (struct host_traps){.x86_64 = true};
    out->fsgsbase = host_has_fsgsbase();
    page = mmap(NULL, PAGE_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return;
    }
    memcpy(page, code, sizeof(code));
    stack.ss_sp = page + PAGE_BYTES;
    if (mprotect(page, PAGE_BYTES, PROT_READ | PROT_EXEC) == 0 &&
        sigaltstack(&stack, &old_stack) == 0) {
        execute_all(out, page);
        sigaltstack(&old_stack, NULL);
        out->tested = true;
        out->patch_rdpmc = !out->trap[HOST_RDPMC].traps;
    }
    munmap(page, PAGE_BYTES + STACK_BYTES);
}

#endif
