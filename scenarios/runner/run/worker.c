/* worker.c - one process of a pool, and both ends of its socket: an answer is
 * its length and its bytes; its task is the one that is next. */
#define _GNU_SOURCE
#include "scenarios/runner/run/worker.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scenarios/runner/output/host_leaks.h"
#include "scenarios/runner/output/interruption.h"

enum {
    WORKER_BUFFER_BYTES = 64 * 1024,
    WORKER_FLUSH_US = 2000, /* an answer waits no longer for others */
};

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* A whole chunk, or none. */
static bool hear_chunk(int socket, struct worker_chunk *chunk)
{
    size_t got = 0;

    while (got < sizeof(*chunk)) {
        ssize_t more = TEMP_FAILURE_RETRY(
            read(socket, (char *)chunk + got, sizeof(*chunk) - got));

        if (more <= 0) {
            return false;
        }
        got += (size_t)more;
    }
    return true;
}

static void do_task(const struct worker_job *job, size_t task, FILE *out)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *answer = open_memstream(&bytes, &length);
    uint64_t sent;

    assert(answer != NULL);
    job->work(job->context, task, answer);
    fclose(answer);
    sent = length;
    fwrite(&sent, sizeof(sent), 1, out);
    fwrite(bytes, 1, length, out);
    free(bytes);
}

/* Whether what such a worker leaves at its end is looked at. */
static bool is_searched(const struct worker_job *job)
{
    return job->end != NULL && host_leaks_are_sought();
}

/* The process's whole life. Answers are sent many at a time, because each time
 * costs somebody a processor. */
static _Noreturn void live(
    const struct worker_job *job, int socket, struct worker_place *place)
{
    static char buffer[WORKER_BUFFER_BYTES];
    FILE *out = fdopen(socket, "w");
    struct worker_chunk chunk;
    uint64_t flushed_us = now_us();

    if (out == NULL || setvbuf(out, buffer, _IOFBF, sizeof(buffer)) != 0) {
        _exit(EXIT_FAILURE);
    }
    if (job->begin != NULL) {
        job->begin(job->context);
    }
    while (hear_chunk(socket, &chunk)) {
        for (uint64_t i = 0; i < chunk.count; i++) {
            crash_note_clear(&place->note);
            place->running = chunk.first + i + 1;
            do_task(job, chunk.first + i, out);
            if (now_us() - flushed_us >= WORKER_FLUSH_US) {
                fflush(out);
                flushed_us = now_us();
            }
        }
        if (fflush(out) != 0) {
            break;
        }
    }
    if (is_searched(job)) {
        job->end(job->context);
        host_leaks_say();
    }
    _exit(EXIT_SUCCESS);
}

static bool fork_worker(
    struct worker *worker, const struct worker_job *job, const int ends[2])
{
    pid_t parent = getpid();

    fflush(NULL); /* what is buffered is the parent's to write */
    worker->pid = fork();
    if (worker->pid == 0) {
        crash_report_to(&worker->place->note);
        interruption_ignore();
        close(ends[0]);
        /* It has nobody to answer to when the parent is gone. */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
            _exit(EXIT_FAILURE);
        }
        live(job, ends[1], worker->place);
    }
    close(ends[1]);
    if (worker->pid < 0) {
        close(ends[0]);
        worker->pid = 0;
        return false;
    }
    worker->socket = ends[0];
    return true;
}

bool worker_begin(struct worker *worker, const struct worker_job *job)
{
    int ends[2];

    *worker =
        (struct worker){.place = worker->place, .searched = is_searched(job)};
    if (worker->place == NULL) {
        void *shared = mmap(NULL, sizeof(*worker->place),
            PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (shared == MAP_FAILED) {
            return false;
        }
        worker->place = shared;
    }
    worker->place->running = 0;
    signal(SIGCHLD, SIG_DFL); /* one that is ignored, as it may be inherited,
                                 loses how the worker ended */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }
    return fork_worker(worker, job, ends);
}

void worker_give(struct worker *worker, struct worker_chunk chunk)
{
    ssize_t sent;

    assert(worker->chunks < WORKER_CHUNKS);
    worker->chunk[worker->chunks++] = chunk;
    sent = TEMP_FAILURE_RETRY(
        send(worker->socket, &chunk, sizeof(chunk), MSG_NOSIGNAL));
    /* So little always fits, unless nobody is there to read it. */
    assert(sent == (ssize_t)sizeof(chunk) || errno == EPIPE ||
           errno == ECONNRESET);
}

bool worker_hear(struct worker *worker)
{
    ssize_t got;

    worker->length -= worker->taken;
    if (worker->length > 0) {
        memmove(worker->bytes, worker->bytes + worker->taken, worker->length);
    }
    worker->taken = 0;
    if (worker->room - worker->length < WORKER_BUFFER_BYTES) {
        worker->room = 2 * worker->room + WORKER_BUFFER_BYTES;
        worker->bytes = realloc(worker->bytes, worker->room);
        assert(worker->bytes != NULL);
    }
    got = TEMP_FAILURE_RETRY(recv(worker->socket,
        worker->bytes + worker->length, worker->room - worker->length, 0));
    if (got <= 0) {
        return false;
    }
    worker->length += (size_t)got;
    return true;
}

bool worker_take(
    struct worker *worker, struct worker_answer *answer, size_t *task)
{
    size_t left = worker->length - worker->taken;
    const uint8_t *at;
    uint64_t length;

    if (worker->broken || left < sizeof(length)) {
        return false;
    }
    at = worker->bytes + worker->taken;
    memcpy(&length, at, sizeof(length));
    if (length > WORKER_ANSWER_BYTES || worker->chunks == 0) {
        worker->broken = true;
        kill(worker->pid, SIGKILL);
        return false;
    }
    if (left - sizeof(length) < length) {
        return false;
    }
    *answer = (struct worker_answer){
        .bytes = malloc((size_t)length + 1), .length = (size_t)length};
    assert(answer->bytes != NULL);
    memcpy(answer->bytes, at + sizeof(length), (size_t)length);
    worker->taken += sizeof(length) + (size_t)length;
    *task = (size_t)worker->chunk[0].first++;
    if (--worker->chunk[0].count == 0) {
        worker->chunk[0] = worker->chunk[1];
        worker->chunks--;
    }
    return true;
}

int worker_bury(struct worker *worker)
{
    int status;
    long buried = TEMP_FAILURE_RETRY(waitpid(worker->pid, &status, 0));

    assert(buried == worker->pid);
    close(worker->socket);
    free(worker->bytes);
    worker->bytes = NULL;
    worker->length = worker->room = worker->taken = 0;
    worker->pid = 0;
    return status;
}

void worker_end(struct worker *worker)
{
    if (worker->pid != 0) {
        if (worker->searched && worker->chunks == 0) {
            shutdown(worker->socket, SHUT_WR); /* it ends by itself */
        } else {
            kill(worker->pid, SIGKILL);
        }
        worker_bury(worker);
    }
    if (worker->place != NULL) {
        munmap(worker->place, sizeof(*worker->place));
        worker->place = NULL;
    }
}
