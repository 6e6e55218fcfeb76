/* batches.c - a process for a few hundred numbers; after a crash another goes
 * on behind it. */
#define _GNU_SOURCE
#include "tests/fuzz/batches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 500 };

void batches_say_crash(
    const struct batches *batches, const char *what, int value)
{
    fprintf(stderr,
        "crash of ours: %s --seed %" PRIu64 " --one %" PRIu64 ": %s %d\n",
        batches->program, batches->seed, *batches->number, what, value);
}

bool batches_run(const struct batches *batches,
    void (*run)(void *work, uint64_t end), void *work)
{
    uint64_t *number = batches->number;

    while (*number < batches->end) {
        uint64_t left = batches->end - *number;
        uint64_t end = *number + (left < BATCH ? left : BATCH);
        pid_t pid;
        int status = 0;

        fflush(NULL);
        pid = fork();
        if (pid == 0) {
            run(work, end);
            abort();
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid) {
            fprintf(stderr, "the host gives no process\n");
            return false;
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
            batches_say_crash(batches,
                WIFSIGNALED(status) ? "signal" : "exit status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            ++*batches->crashed;
            ++*number;
        }
    }
    return true;
}
