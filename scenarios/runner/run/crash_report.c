/* crash_report.c - failures of the program itself: an assertion or a fault
 * names the instance that ran. Handlers have a stack of their own, because a
 * fault may be the end of the other one. */
#include "scenarios/runner/run/crash_report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/asan_fiber.h"

/* AddressSanitizer's own report of a fault says more. */
static const int signals[] = {SIGABRT,
#ifndef ASAN_FIBER
    SIGSEGV, SIGBUS, SIGILL, SIGFPE
#endif
};

enum { CRASH_STACK_BYTES = 64 * 1024 };

static unsigned char crash_stack[CRASH_STACK_BYTES];
static const char *volatile running;
static volatile int exit_code;

static void write_text(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));

    (void)written; /* there is nobody left to tell */
}

static void report(int number)
{
    const char *id = running;

    write_text("ntpmu: internal failure in ");
    write_text(id == NULL ? "no instance" : id);
    write_text(number == SIGABRT ? "\n" : ": a fault in the program\n");
    _exit(exit_code);
}

static void handle(const struct sigaction *action)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        sigaction(signals[i], action, NULL);
    }
}

void crash_report_install(int code)
{
    const stack_t stack = {
        .ss_sp = crash_stack, .ss_size = sizeof(crash_stack)};
    struct sigaction action = {.sa_handler = report, .sa_flags = SA_ONSTACK};

    exit_code = code;
    sigemptyset(&action.sa_mask);
    sigaltstack(&stack, NULL);
    handle(&action);
}

void crash_report_remove(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigemptyset(&action.sa_mask);
    handle(&action);
}

void crash_report_running(const char *id)
{
    running = id;
}
