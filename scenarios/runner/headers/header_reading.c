/* header_reading.c - begins the process that reads a C header
 * (header_process.c), and understands its answer. */
#define _GNU_SOURCE
#include "scenarios/runner/headers/header_reading.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/headers/header_process.h"
#include "scenarios/runner/output/pipe_message.h"
#include "scenarios/runner/yaml/yaml_tree.h"

enum { PATH_BYTES = 4096 };

extern char **environ;

/* "4 2 pmuctl.h", NUL, what is wrong, NUL, and the next. */
static void read_problems(void *context, const char *at, const char *end,
    struct header_problems *problems)
{
    while (at < end) {
        const char *message = at + strlen(at) + 1;
        char *rest;
        unsigned line = (unsigned)strtoul(at, &rest, 10);
        unsigned column = (unsigned)strtoul(rest, &rest, 10);

        assert(message < end);
        header_problem_add(
            context, problems, rest + 1, line, column, "%s", message);
        at = message + strlen(message) + 1;
    }
}

static struct header_reading understand(
    void *context, const struct pipe_message *message, int status)
{
    struct header_reading reading = {NULL, {NULL, 0}, NULL};
    const char *text = NULL;

    if (message->length > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        text = talloc_strndup(
            context, (const char *)message->bytes + 1, message->length - 1);
        assert(text != NULL);
    }
    if (text != NULL && message->bytes[0] == 's') {
        reading.structures = text;
    } else if (text != NULL && message->bytes[0] == 'p') {
        read_problems(context, (const char *)message->bytes + 1,
            (const char *)message->bytes + message->length, &reading.problems);
    } else if (text != NULL) {
        reading.failure = text;
    } else if (WIFSIGNALED(status)) {
        reading.failure = talloc_asprintf(
            context, "libclang was ended by signal %d", WTERMSIG(status));
    } else {
        reading.failure = "libclang ended without a word";
    }
    return reading;
}

static struct header_reading refuse(void *context, const char *call, int error)
{
    return (struct header_reading){
        .failure = talloc_asprintf(context, "%s: %s", call, strerror(error))};
}

/* Itself; of a test, which is another program, the one of the same build. */
static const char *program(void)
{
    static const char name[] = "/ntpmu";
    char own[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own));
    size_t bytes = sizeof(name) - 1;

    if (length > (ssize_t)bytes &&
        memcmp(own + (size_t)length - bytes, name, bytes) == 0) {
        return "/proc/self/exe";
    }
    return PROGRAM_FILE;
}

/* Its standard output is the pipe. Returns an error's number. */
static int begin(const char *path, int pipe, pid_t *child)
{
    char *words[] = {
        (char *)(uintptr_t)header_process_name, (char *)(uintptr_t)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, pipe, STDOUT_FILENO);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    error =
        posix_spawn(child, program(), &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

struct header_reading header_read(void *context, const char *path)
{
    struct pipe_message message = {NULL, 0, 0, false, false, false};
    struct header_reading reading;
    int ends[2], status = 0, error;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return refuse(context, "pipe", errno);
    }
    error = begin(path, ends[1], &child);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return refuse(context, program(), error);
    }
    pipe_message_listen(
        &message, ends[0], PIPE_MESSAGE_FOREVER, 2 * YAML_FILE_BYTES);
    close(ends[0]);
    if (pipe_message_is_cut(&message)) {
        kill(child, SIGKILL);
    }
    TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
    reading = understand(context, &message, status);
    pipe_message_free(&message);
    return reading;
}
