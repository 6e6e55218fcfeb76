/* code_hints.c - a sandboxed process that looks for control codes in a driver's
 * file, and what it answers, checked. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/drive/code_hints.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/runner/run/child_life.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/sandbox.h"

enum { CPU_US = 2000000, MEMORY_BYTES = 1 << 30 };

static _Noreturn void live(
    const struct driver_file *file, int pipe, pid_t parent)
{
    const struct sandbox_limits limits = {
        .cpu_us = CPU_US, .memory_bytes = MEMORY_BYTES};
    static struct control_code code[CONTROL_CODES_MAX];
    size_t count;
    FILE *out;

    crash_report_to(NULL);
    if (!child_keep_pipe(pipe)) {
        _exit(EXIT_FAILURE);
    }
    out = fdopen(CHILD_PIPE, "w"); /* which the sandbox would not allow */
    if (out == NULL || sandbox_apply(&limits, parent) != NULL) {
        _exit(EXIT_FAILURE);
    }
    count = control_codes_find(file->bytes, file->size, code);
    fwrite(code, sizeof(code[0]), count, out);
    _exit(fflush(out) == 0 && !ferror(out) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Up to the end of what comes. */
static size_t receive(int pipe, struct control_code code[CONTROL_CODES_MAX])
{
    size_t most = CONTROL_CODES_MAX * sizeof(code[0]), done = 0;
    ssize_t got = 1;

    while (done < most && got > 0) {
        got = TEMP_FAILURE_RETRY(read(pipe, (char *)code + done, most - done));
        done += got > 0 ? (size_t)got : 0;
    }
    for (size_t i = 0; i < done / sizeof(code[0]); i++) {
        code[i].function[CONTROL_CODE_FUNCTION_BYTES - 1] = '\0';
    }
    return done / sizeof(code[0]);
}

size_t code_hints_find(
    const struct driver_file *file, struct control_code code[CONTROL_CODES_MAX])
{
    pid_t parent = getpid(), pid;
    size_t count = 0;
    int ends[2], status;

    memset(code, 0, CONTROL_CODES_MAX * sizeof(code[0]));
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return 0;
    }
    pid = fork();
    if (pid == 0) {
        live(file, ends[1], parent);
    }
    close(ends[1]);
    if (pid > 0) {
        count = receive(ends[0], code);
        if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) != pid ||
            status != 0) {
            count = 0;
        }
    }
    close(ends[0]);
    return count;
}
