/* bench_start.c - the family start: the program from its beginning to its end.
 * The least of many runs counts: whatever else the host does makes them
 * longer. */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "tests/bench/benchmarks.h"
#include "tests/bench/runner_scene.h"

enum { STARTS = 40 };

static double ns_of(const struct timeval *time)
{
    return (double)time->tv_sec * 1e9 + (double)time->tv_usec * 1e3;
}

static double start(char *const *words)
{
    struct rusage usage;
    int status;
    pid_t ended, pid = vfork();

    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, STDOUT_FILENO);
        execv(words[0], words);
        _exit(127);
    }
    ended = wait4(pid, &status, 0, &usage);
    assert(ended == pid && status == 0);
    (void)ended;
    return ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
}

static double least(char *const *words)
{
    double best = start(words);

    for (int i = 1; i < STARTS; i++) {
        double ns = start(words);

        best = ns < best ? ns : best;
    }
    return best;
}

static double empty(void)
{
    char program[] = BENCH_EMPTY;

    return least((char *[]){program, NULL});
}

double start_empty(void)
{
    return empty();
}

/* Beyond what an empty program takes. */
double start_help(void)
{
    char program[] = BENCH_PROGRAM, help[] = "--help";

    return least((char *[]){program, help, NULL}) - empty();
}

double start_validate(void)
{
    char program[] = BENCH_PROGRAM, validate[] = "validate";
    void *memory = talloc_new(NULL);
    const char *text = runner_scene_overflow();
    char *path =
        talloc_strdup(memory, runner_scene_file(memory, text, strlen(text)));
    double ns = least((char *[]){program, validate, path, NULL}) - empty();

    talloc_free(memory);
    return ns;
}
