/* spoilt.h - how a process ends that looks at a structure with one thing wrong.
 */
#ifndef TESTS_SPOILT_H
#define TESTS_SPOILT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/rows.h"

/* The signal that ends a process of its own, which spoils something and then
 * checks everything; 0: none does. */
static inline int spoilt_signal(void (*spoil)(void), bool (*check)(void))
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        close(STDERR_FILENO);
        spoil();
        _exit(check() ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* A row of a table of them: what is spoilt. */
struct spoil_row {
    const char *name;
    void (*spoil)(void);
};

static inline void assert_spoilt_is_found(
    const struct spoil_row *row, bool (*check)(void))
{
    assert_true(check());
    assert_int_equal(spoilt_signal(row->spoil, check), SIGABRT);
}

#endif
