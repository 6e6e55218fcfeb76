/* program_scene.c - files, and a process with its time. */
#define _GNU_SOURCE
#include "tests/bench/program_scene.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 256, OPEN_DIRECTORIES = 8 };

static char directory[] = "/tmp/ntpmu_bench_XXXXXX";
static bool is_made;

static int remove_entry(
    const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status;
    (void)type;
    (void)at;
    return remove(path);
}

static void remove_directory(void)
{
    nftw(directory, remove_entry, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS);
}

static void make_directory(void)
{
    if (!is_made && mkdtemp(directory) == NULL) {
        assert(false && "no directory can be made");
    }
    if (!is_made) {
        atexit(remove_directory);
    }
    is_made = true;
}

static void path_of(char full[PATH_BYTES], const char *path)
{
    int length = snprintf(full, PATH_BYTES, "%s/%s", directory, path);

    assert(length > 0 && length < PATH_BYTES);
    (void)length;
}

FILE *program_scene_file(const char *path)
{
    char full[PATH_BYTES];
    FILE *file;

    make_directory();
    path_of(full, path);
    for (char *slash = strchr(full + sizeof(directory), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(full, 0700) != 0 && errno != EEXIST) {
            assert(false && "no directory can be made");
        }
        *slash = '/';
    }
    file = fopen(full, "w");
    assert(file != NULL);
    return file;
}

/* In the child. */
static void become_program(const char *cache, const char *const *arguments)
{
    char *argv[PROGRAM_ARGUMENTS + 2] = {(char *)"ntpmu"};
    char full[PATH_BYTES];
    int nowhere = open("/dev/null", O_WRONLY);

    for (int i = 0; arguments[i] != NULL; i++) {
        assert(i < PROGRAM_ARGUMENTS);
        argv[i + 1] = strdup(arguments[i]);
    }
    path_of(full, cache);
    if (nowhere < 0 || dup2(nowhere, 1) < 0 || chdir(directory) != 0 ||
        setenv("XDG_CACHE_HOME", full, 1) != 0) {
        _exit(126);
    }
    execv(BENCH_PROGRAM, argv);
    _exit(127);
}

static double ns_of(struct timeval time)
{
    return (double)time.tv_sec * 1e9 + (double)time.tv_usec * 1e3;
}

double program_scene_run(const char *cache, const char *const *arguments)
{
    struct rusage usage;
    int status;
    pid_t pid;

    make_directory();
    pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        become_program(cache, arguments);
    }
    if (wait4(pid, &status, 0, &usage) != pid || status != 0) {
        fprintf(stderr, "bench: %s %s ... ended with status %#x\n",
            BENCH_PROGRAM, arguments[0], (unsigned)status);
        abort();
    }
    return ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
}
