/* fail_write.c - fail_write N PROGRAM ARGUMENT...: runs a program whose N-th
 * write, of whatever, fails as on a full disk. Exits as it does, with 128 and
 * the signal when one ends it, with 100 when it writes less often. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FAIL_FEWER = 100,
    FAIL_BROKEN = 101,
    FAIL_SIGNALLED = 128,
    STOP_OF_CALL = SIGTRAP | 0x80, /* PTRACE_O_TRACESYSGOOD */
};

/* Calls that put something into a file, or a file under its name. */
static bool writes(unsigned long long number)
{
    static const long numbers[] = {SYS_write, SYS_writev, SYS_pwrite64,
        SYS_fsync, SYS_rename, SYS_renameat, SYS_renameat2, SYS_link,
        SYS_linkat};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (number == (unsigned long long)numbers[i]) {
            return true;
        }
    }
    return false;
}

static void check(bool done, const char *what)
{
    if (!done) {
        perror(what);
        exit(FAIL_BROKEN);
    }
}

/* Goes on to the next stop; a signal is passed on. Returns waitpid()'s status.
 */
static int go_on(pid_t child, int number)
{
    int status;

    check(ptrace(PTRACE_SYSCALL, child, NULL, (void *)(long)number) == 0,
        "PTRACE_SYSCALL");
    check(waitpid(child, &status, 0) == child, "waitpid");
    return status;
}

/* The call that begins does nothing and returns ENOSPC. Returns the status of
 * the stop at its end. */
static int refuse(pid_t child, struct user_regs_struct *regs)
{
    int status;

    regs->orig_rax = (unsigned long long)-1;
    check(ptrace(PTRACE_SETREGS, child, NULL, regs) == 0, "PTRACE_SETREGS");
    status = go_on(child, 0);
    check(ptrace(PTRACE_GETREGS, child, NULL, regs) == 0, "PTRACE_GETREGS");
    regs->rax = (unsigned long long)-ENOSPC;
    check(ptrace(PTRACE_SETREGS, child, NULL, regs) == 0, "PTRACE_SETREGS");
    return status;
}

/* Returns how often it wrote. */
static unsigned long follow(pid_t child, unsigned long n, int *status)
{
    unsigned long count = 0;
    bool inside = false;
    int passed = 0;

    while (WIFSTOPPED(*status)) {
        struct user_regs_struct regs;

        if (WSTOPSIG(*status) != STOP_OF_CALL) {
            passed = WSTOPSIG(*status) == SIGTRAP ? 0 : WSTOPSIG(*status);
        } else {
            passed = 0;
            inside = !inside;
            check(ptrace(PTRACE_GETREGS, child, NULL, &regs) == 0,
                "PTRACE_GETREGS");
            if (inside && writes(regs.orig_rax) && ++count == n) {
                *status = refuse(child, &regs);
                inside = false;
                continue;
            }
        }
        *status = go_on(child, passed);
    }
    return count;
}

int main(int argc, char **argv)
{
    unsigned long n = argc < 3 ? 0 : strtoul(argv[1], NULL, 10);
    pid_t child;
    int status;

    check(n > 0, "fail_write N PROGRAM ARGUMENT...");
    child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(argv[2], argv + 2);
        _exit(FAIL_BROKEN);
    }
    check(waitpid(child, &status, 0) == child, "waitpid");
    check(ptrace(PTRACE_SETOPTIONS, child, NULL,
              (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) == 0,
        "PTRACE_SETOPTIONS");
    if (follow(child, n, &status) < n) {
        return FAIL_FEWER;
    }
    return WIFSIGNALED(status) ? FAIL_SIGNALLED + WTERMSIG(status)
                               : WEXITSTATUS(status);
}
