/* nursery.c - the side of who wants children: a line to the first process, over
 * which it gets a process of its own, and a line to that. */
#define _GNU_SOURCE
#include "scenarios/runner/run/nursery.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/nursery_line.h"
#include "scenarios/runner/run/nursery_process.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/yaml/source.h"

struct nursery {
    pid_t first; /* the process that was forked first */
    int door;    /* the line to it */
    pid_t owner; /* whose the following is; another process has got a copy */
    int line;    /* to the owner's process; -1: there is none */
    struct crash_note *note; /* shared with it */
};

/* What the copy of another process's line takes up. */
static void hang_up(struct nursery *nursery)
{
    if (nursery->line >= 0) {
        close(nursery->line);
        munmap(nursery->note, sizeof(*nursery->note));
    }
    nursery->line = -1;
    nursery->note = NULL;
}

static int nursery_end(struct nursery *nursery)
{
    hang_up(nursery);
    close(nursery->door);
    TEMP_FAILURE_RETRY(waitpid(nursery->first, NULL, 0));
    return 0;
}

struct nursery *nursery_open(void *context, const struct nursery_home *home)
{
    struct nursery *nursery;
    pid_t parent = getpid();
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return NULL;
    }
    nursery = talloc_zero(context, struct nursery);
    assert(nursery != NULL);
    *nursery = (struct nursery){.door = ends[0], .line = -1};
    signal(SIGCHLD, SIG_DFL);
    fflush(NULL); /* what is buffered is this process's to write */
    nursery->first = fork();
    if (nursery->first == 0) {
        close(ends[0]);
        nursery_process(ends[1], parent, home);
    }
    close(ends[1]);
    if (nursery->first < 0) {
        close(ends[0]);
        talloc_free(nursery);
        return NULL;
    }
    talloc_set_destructor(nursery, nursery_end);
    return nursery;
}

/* A page for the note, and its file. NULL: the host gives none. */
static struct crash_note *share_note(int *file)
{
    void *page = MAP_FAILED;

    *file = memfd_create("ntpmu-note", MFD_CLOEXEC);
    if (*file >= 0 && ftruncate(*file, sizeof(struct crash_note)) == 0) {
        page = mmap(NULL, sizeof(struct crash_note), PROT_READ | PROT_WRITE,
            MAP_SHARED, *file, 0);
    }
    return page == MAP_FAILED ? NULL : page;
}

/* Asks for a process of our own. False: there is none. */
static bool call(struct nursery *nursery)
{
    struct crash_note *note;
    int ends[2], file;
    bool sent;

    if (nursery->line >= 0 && nursery->owner == getpid()) {
        return true;
    }
    hang_up(nursery);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }
    note = share_note(&file);
    sent = note != NULL &&
           nursery_send(nursery->door, NULL, 0, (int[]){ends[1], file}, 2);
    close(ends[1]);
    if (file >= 0) {
        close(file);
    }
    if (!sent) {
        close(ends[0]);
        return false;
    }
    nursery->owner = getpid();
    nursery->line = ends[0];
    nursery->note = note;
    return true;
}

/* The answer to what was sent. False: nobody answers any more. */
static bool hear(struct nursery *nursery, int32_t *answer)
{
    if (nursery_receive(nursery->line, answer, sizeof(*answer), NULL, 0) ==
        sizeof(*answer)) {
        return true;
    }
    hang_up(nursery);
    return false;
}

bool nursery_begin(
    struct nursery *nursery, const struct nursery_request *request)
{
    const struct instance *instance = request->instance;
    const struct source *source = instance->outline->source;
    struct nursery_order order = {.cpu_us = request->cpu_us,
        .hash = nursery_hash(source->text, source->length),
        .traced = request->traced,
        .explores = request->explores};
    int32_t begun;

    if (instance->outline->library->no_files ||
        !nursery_order_name(&order, source->path, instance->id) ||
        !call(nursery)) {
        return false;
    }
    crash_note_clear(nursery->note);
    if (!nursery_send(
            nursery->line, &order, sizeof(order), &request->pipe, 1)) {
        hang_up(nursery);
        return false;
    }
    return hear(nursery, &begun) && begun != 0;
}

struct crash_note *nursery_note(struct nursery *nursery)
{
    return nursery->note;
}

int nursery_bury(struct nursery *nursery, bool end)
{
    int32_t status;

    assert(nursery->line >= 0 && nursery->owner == getpid());
    if (end) {
        /* Any message does; one that has just ended answers all the same. */
        nursery_send(nursery->line, &(char){0}, 1, NULL, 0);
    }
    return hear(nursery, &status) ? status : SIGKILL;
}
