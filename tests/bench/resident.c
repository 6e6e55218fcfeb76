/* resident.c - statm of a child. */
#include "tests/bench/resident.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static double resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long size, resident = 0;

    assert(file != NULL);
    if (fscanf(file, "%lu %lu", &size, &resident) != 2) {
        assert(false && "statm is two numbers and more");
    }
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* What is resident before and after. */
struct resident {
    double before, after;
};

static struct resident measure(
    void (*work)(const void *argument), const void *argument)
{
    int ends[2], status;
    struct resident bytes = {0};
    pid_t pid;

    if (pipe(ends) != 0) {
        assert(false && "the host gives no pipe");
    }
    pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        bytes.before = resident_bytes();
        work(argument);
        bytes.after = resident_bytes();
        _exit(write(ends[1], &bytes, sizeof(bytes)) == sizeof(bytes) ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &bytes, sizeof(bytes)) != sizeof(bytes) ||
        waitpid(pid, &status, 0) != pid) {
        assert(false && "the process ended without a figure");
    }
    close(ends[0]);
    return bytes;
}

double resident_after(void (*work)(const void *argument), const void *argument)
{
    return measure(work, argument).after;
}

double resident_added(void (*work)(const void *argument), const void *argument)
{
    const struct resident bytes = measure(work, argument);

    return bytes.after - bytes.before;
}
