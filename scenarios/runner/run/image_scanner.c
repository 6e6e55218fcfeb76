/* image_scanner.c - a sandboxed process that scans a driver's image once for
 * all runs, and what it answers, checked. */
#define _GNU_SOURCE
#include "scenarios/runner/run/image_scanner.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "api/image/image_scan.h"
#include "scenarios/runner/run/child_life.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/sandbox.h"

enum {
    CPU_US = 2000000,
    MEMORY_BYTES = 1 << 30,
    SITES_MOST = 1 << 16,
};

/* What goes before the sites. */
struct head {
    struct patch_counts counts;
    uint64_t count;
};

static _Noreturn void live(
    const struct driver_file *file, int pipe, pid_t parent)
{
    const struct sandbox_limits limits = {
        .cpu_us = CPU_US, .memory_bytes = MEMORY_BYTES};
    struct patch found;
    struct head head;
    FILE *out;

    crash_report_to(NULL);
    if (!child_keep_pipe(pipe)) {
        _exit(EXIT_FAILURE);
    }
    out = fdopen(CHILD_PIPE, "w"); /* which the sandbox would not allow */
    if (out == NULL || sandbox_apply(&limits, parent) != NULL ||
        !image_scan_file(file->bytes, file->size, &found) ||
        found.count > SITES_MOST) {
        _exit(EXIT_FAILURE);
    }
    head = (struct head){found.counts, found.count};
    fwrite(&head, sizeof(head), 1, out);
    if (found.count > 0) {
        fwrite(found.site, sizeof(*found.site), found.count, out);
    }
    _exit(fflush(out) == 0 && !ferror(out) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Whether so many bytes come. */
static bool take(int pipe, void *bytes, size_t size)
{
    size_t done = 0;
    ssize_t got = 1;

    while (done < size && got > 0) {
        got = TEMP_FAILURE_RETRY(read(pipe, (char *)bytes + done, size - done));
        done += got > 0 ? (size_t)got : 0;
    }
    return done == size;
}

/* Child of `context`; NULL: not all of it has come. */
static struct patch *receive(void *context, int pipe)
{
    struct patch *patch = talloc_zero(context, struct patch);
    struct head head;

    assert(patch != NULL);
    if (take(pipe, &head, sizeof(head)) && head.count <= SITES_MOST) {
        *patch = (struct patch){.count = (size_t)head.count,
            .counts = head.counts,
            .site = talloc_array(
                patch, struct patch_site, (unsigned)head.count + 1)};
        assert(patch->site != NULL);
        if (take(pipe, patch->site, patch->count * sizeof(*patch->site))) {
            return patch;
        }
    }
    talloc_free(patch);
    return NULL;
}

static void scan(struct driver_file *file)
{
    pid_t parent = getpid(), pid;
    struct patch *found;
    int ends[2], status;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    pid = fork();
    if (pid == 0) {
        live(file, ends[1], parent);
    }
    close(ends[1]);
    found = pid < 0 ? NULL : receive(file, ends[0]);
    close(ends[0]);
    if (pid > 0 && TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) == pid &&
        status == 0) {
        file->known = found;
    }
}

void image_scanner_ordered(struct driver_file *file)
{
    assert(file->bytes != NULL);
    if (file->ordered_bytes >= IMAGE_SCANNER_BYTES) {
        return;
    }
    file->ordered_bytes += file->size;
    if (file->ordered_bytes >= IMAGE_SCANNER_BYTES) {
        scan(file);
    }
}
