/* crash_report.c - failures of the program itself: an assertion or a fault
 * names the instance that ran, or leaves a note for who waits for the process.
 * Handlers have a stack of their own, because a fault may be the end of the
 * other one. */
#define _GNU_SOURCE
#include "scenarios/runner/run/crash_report.h"

#include <assert.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <talloc.h>
#include <ucontext.h>
#include <unistd.h>

#include "api/image/guest.h"
#include "scenarios/runner/text/visible_text.h"
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
static struct crash_note *volatile noted; /* NULL: this is the first process */
static char assertion[CRASH_TEXT_BYTES];  /* that failed */
static volatile uint64_t steps;
static void (*volatile schedule_told)(void *context, struct crash_note *note);
static void *volatile schedule_context;

struct crash_note *crash_note_new(void)
{
    void *page = mmap(NULL, sizeof(struct crash_note), PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? NULL : page;
}

void crash_note_free(struct crash_note *note)
{
    if (note != NULL) {
        munmap(note, sizeof(*note));
    }
}

void crash_note_clear(struct crash_note *note)
{
    note->step[0] = note->text[0] = note->schedule[0] = '\0';
    note->native = false;
    note->schedules = 0;
}

static const char *noted_text(void *context, const char *text, size_t size)
{
    char *copy = talloc_strndup(context, text, size - 1);

    assert(copy != NULL);
    return visible_text(context, copy);
}

const char *crash_note_step(void *context, const struct crash_note *note)
{
    return note == NULL ? ""
                        : noted_text(context, note->step, sizeof(note->step));
}

const char *crash_note_schedule(void *context, const struct crash_note *note)
{
    return note == NULL
               ? ""
               : noted_text(context, note->schedule, sizeof(note->schedule));
}

const char *crash_note_text(
    void *context, const struct crash_note *note, const char *how)
{
    const char *text = how;

    if (note != NULL && note->text[0] != '\0') {
        text = visible_text(context,
            talloc_strndup(context, note->text, sizeof(note->text) - 1));
    }
    return talloc_asprintf(context, "ntpmu itself failed: %s%s", text,
        note != NULL && note->native ? "; a driver's code had run before" : "");
}

static void write_text(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));

    (void)written; /* there is nobody left to tell */
}

/* The C library's, for those of its users that are linked with this: it says
 * the same, and keeps it. */
_Noreturn void __assert_fail(
    const char *text, const char *file, unsigned int line, const char *function)
{
    snprintf(assertion, sizeof(assertion), "%s:%u: %s: Assertion `%s' failed.",
        file, line, function, text);
    if (noted == NULL) {
        write_text("ntpmu: ");
        write_text(assertion);
        write_text("\n");
    }
    abort();
}

_Noreturn void crash_report_fail(const char *text)
{
    snprintf(assertion, sizeof(assertion), "%s", text);
    abort();
}

/* Where in the program, as its symbols' tools want it. */
static void note_fault(int number, const ucontext_t *context)
{
    const char *name = sigabbrev_np(number);
    uintptr_t at = 0;
    Dl_info info;

#if defined(__x86_64__)
    at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    (void)context;
#endif
    if (dladdr((void *)at, &info) == 0 || info.dli_fname == NULL) {
        info = (Dl_info){.dli_fname = "?"};
    }
    snprintf(noted->text, sizeof(noted->text), "SIG%s at %s+0x%jX",
        name == NULL ? "RT" : name,
        strrchr(info.dli_fname, '/') == NULL ? info.dli_fname
                                             : strrchr(info.dli_fname, '/') + 1,
        (uintmax_t)(at - (uintptr_t)info.dli_fbase));
}

static void leave_note(int number, const ucontext_t *context)
{
    noted->native = guest_has_run;
    if (number == SIGABRT && assertion[0] != '\0') {
        memcpy(noted->text, assertion, sizeof(noted->text));
    } else {
        note_fault(number, context);
    }
    if (schedule_told != NULL) {
        schedule_told(schedule_context, noted);
    }
    crash_report_remove();
    raise(number);
}

static void report(int number, siginfo_t *info, void *context)
{
    const char *id = running;

    (void)info;
    if (noted != NULL) {
        leave_note(number, context);
        return;
    }
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
    struct sigaction action = {
        .sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    exit_code = code;
    sigemptyset(&action.sa_mask);
    sigaltstack(&stack, NULL);
    handle(&action);
}

void crash_report_to(struct crash_note *note)
{
    crash_report_ask(NULL, NULL);
    if (note == NULL) {
        crash_report_remove();
        return;
    }
    noted = note;
    crash_note_clear(note);
    crash_report_install(exit_code);
}

void crash_report_ask(
    void (*tell)(void *context, struct crash_note *note), void *context)
{
    schedule_told = tell;
    schedule_context = context;
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

void crash_report_step(const char *number)
{
    steps++;
    if (noted != NULL) {
        noted->native = guest_has_run;
        strncpy(noted->step, number, sizeof(noted->step) - 1);
    }
}

uint64_t crash_report_steps(void)
{
    return steps;
}
