/* nursery_process.c - the processes of a nursery. The first one forks another
 * for each who asks at the door; that one knows a scenario's file at a time,
 * and forks a child for each instance of it that is ordered, or a process that
 * explores it. */
#define _GNU_SOURCE
#include "scenarios/runner/run/nursery_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/library/library.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/run/child_life.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/native_instance.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/nursery_line.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/syscall_policy.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/yaml/source.h"

/* One that makes children for somebody. */
struct maker {
    int line;
    struct crash_note *note;
    const struct nursery_home *home;
    struct job job;
    struct session session;
    void *memory;            /* of the file, and of the drivers that it names */
    struct outline *outline; /* the file; NULL: none is known */
    uint64_t hash;           /* of its text */
};

/* It has nobody to answer to when its parent is gone. */
static void end_with(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
        _exit(EXIT_FAILURE);
    }
}

static bool is_known(
    const struct maker *maker, const struct nursery_order *order)
{
    return maker->outline != NULL && maker->hash == order->hash &&
           strcmp(maker->outline->source->path, order->name) == 0;
}

/* Reads the file, which was found valid by others, in place of the last one.
 * False: it is not as it was. */
static bool know(struct maker *maker, const struct nursery_order *order)
{
    const struct run_settings *settings = &maker->job.settings;
    struct diagnostics *diagnostics;
    struct library *library;

    if (is_known(maker, order)) {
        return true;
    }
    talloc_free(maker->memory);
    maker->outline = NULL;
    maker->memory = talloc_new(NULL);
    diagnostics = diagnostics_new(maker->memory);
    library = library_new(maker->memory, maker->home->kinds,
        maker->job.requirements, diagnostics);
    library->found_valid = true;
    for (size_t i = 0; i < settings->given.count; i++) {
        library_give(library, settings->given.item[i]);
    }
    maker->session.drivers = driver_files_new(
        maker->memory, settings->allowed.item, settings->allowed.count);
    if (scenario_file_read(maker->memory, order->name, library,
            &maker->outline) != FILE_SCENARIO) {
        maker->outline = NULL;
        return false;
    }
    maker->hash = nursery_hash(
        maker->outline->source->text, maker->outline->source->length);
    return is_known(maker, order);
}

/* The files of its drivers, which those that are ordered often know well. */
static bool open_files(struct maker *maker, const struct instance *instance)
{
    if (!native_instance_files(&maker->session, instance)) {
        return false;
    }
    native_instance_ordered(&maker->session, instance);
    return true;
}

/* The instance as it was ordered, with its scenario; NULL: there is none. */
static const struct instance *find(void *context, struct maker *maker,
    const struct nursery_order *order, struct instance *found)
{
    const struct instances *instances =
        know(maker, order) ? &maker->outline->instances : NULL;
    const char *id = nursery_order_id(order);
    struct diagnostics *diagnostics = diagnostics_new(context);
    size_t i = 0;

    while (instances != NULL && i < instances->count &&
           strcmp(instances->item[i].id, id) != 0) {
        i++;
    }
    if (instances == NULL || i == instances->count) {
        return NULL;
    }
    *found = instances->item[i];
    found->scenario = instance_read(context, found, diagnostics);
    found->native = true; /* what is known valid is not read for that */
    return diagnostics_errors(diagnostics) == 0 && open_files(maker, found)
               ? found
               : NULL;
}

static pid_t make_child(struct maker *maker, const struct instance *instance,
    const struct nursery_order *order, int pipe)
{
    const struct child_limits limits =
        native_instance_limits(&maker->session, order->cpu_us);
    const struct child_life life = {
        &maker->session, instance, &limits, order->traced, maker->note};
    pid_t parent = getpid();
    pid_t child = fork();

    if (child == 0) {
        child_live(&life, pipe, parent, run_instance);
    }
    return child;
}

/* A process that explores the instance, without a sandbox: a driver's code runs
 * in its children only. */
static pid_t make_explorer(
    struct maker *maker, const struct instance *instance, int pipe, bool traced)
{
    pid_t parent = getpid();
    pid_t explorer = fork();
    FILE *out;

    if (explorer != 0) {
        return explorer;
    }
    end_with(parent);
    close(maker->line);
    crash_report_to(maker->note);
    out = fdopen(pipe, "w");
    if (out == NULL) {
        _exit(EXIT_FAILURE);
    }
    maker->home->explorer(&maker->job, &maker->session, instance, traced, out);
    _exit(fflush(out) == 0 && !ferror(out) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Waits until the child ends, or ends it when somebody says so or is gone. */
static int32_t attend(const struct maker *maker, pid_t child)
{
    struct pollfd wanted[] = {
        {.fd = maker->line, .events = POLLIN},
        {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN},
    };
    int status = 0;

    TEMP_FAILURE_RETRY(poll(wanted, 2, -1));
    if (wanted[0].revents != 0 || wanted[1].fd < 0) {
        kill(child, SIGKILL);
    }
    TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
    close(wanted[1].fd);
    return status;
}

static void answer(const struct maker *maker, int32_t value)
{
    nursery_send(maker->line, &value, sizeof(value), NULL, 0);
}

/* A message that is no order ended a child that had ended by itself. */
static void serve(
    struct maker *maker, const struct nursery_order *order, int pipe)
{
    void *context = talloc_new(NULL);
    struct instance found;
    const struct instance *instance = find(context, maker, order, &found);
    pid_t child = -1;

    if (instance != NULL && order->explores) {
        child = make_explorer(maker, instance, pipe, order->traced);
    } else if (instance != NULL) {
        child = make_child(maker, instance, order, pipe);
    }

    close(pipe); /* the child's end is the last one */
    answer(maker, child > 0);
    if (child > 0) {
        answer(maker, attend(maker, child));
    }
    talloc_free(context);
}

static _Noreturn void make_children(struct maker *maker)
{
    struct nursery_order order;
    ssize_t got = 1;

    maker->job.requirements = requirements_built_in(NULL);
    if (!job_open_session(&maker->job, &maker->session)) {
        _exit(EXIT_FAILURE);
    }
    syscall_policy_make(); /* once for all; a child without says so */
    child_prepare();
    while (got > 0) {
        int pipe;

        got = nursery_receive(maker->line, &order, sizeof(order), &pipe, 1);
        if (got == (ssize_t)sizeof(order) && pipe >= 0) {
            serve(maker, &order, pipe);
        }
    }
    _exit(EXIT_SUCCESS);
}

/* For whoever has sent a line and a page for notes. */
static void fork_maker(
    const int got[2], int door, const struct nursery_home *home)
{
    pid_t parent = getpid();

    if (fork() == 0) {
        struct maker maker = {.line = got[0],
            .home = home,
            .job = {.settings = *home->settings, .progress = home->progress}};

        end_with(parent);
        close(door);
        maker.note = mmap(NULL, sizeof(*maker.note), PROT_READ | PROT_WRITE,
            MAP_SHARED, got[1], 0);
        if (maker.note == MAP_FAILED) {
            _exit(EXIT_FAILURE);
        }
        close(got[1]);
        make_children(&maker);
    }
}

_Noreturn void nursery_process(
    int door, pid_t parent, const struct nursery_home *home)
{
    ssize_t got = 1;

    interruption_ignore();
    end_with(parent);
    while (got > 0) {
        int descriptor[2];
        char byte;

        got = nursery_receive(door, &byte, sizeof(byte), descriptor, 2);
        if (got > 0 && descriptor[0] >= 0) {
            fork_maker(descriptor, door, home);
            close(descriptor[0]);
            close(descriptor[1]);
        }
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
    }
    while (waitpid(-1, NULL, 0) > 0) {
    }
    _exit(EXIT_SUCCESS);
}
