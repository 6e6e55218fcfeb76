/* host_of_32_bits.h - whether this host's kernel runs code of 32 bits at all:
 * one that is built without it (CONFIG_IA32_EMULATION) answers int 0x80 with a
 * fault, so what a sandbox makes of such a call cannot be seen there. */
#ifndef TESTS_HOST_OF_32_BITS_H
#define TESTS_HOST_OF_32_BITS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* Asks for the process's number in the way of 32 bits, in a child. */
static inline bool host_of_32_bits(void)
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        long number = 20;

        signal(SIGSEGV, SIG_DFL); /* the test's own is for the test */
        __asm__ volatile("int $0x80" : "+a"(number) : : "memory");
        _exit(number > 0 ? 0 : 1);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

#endif
