/* native_instance.c - an instance whose driver is machine code: every image is
 * read here, because the child that runs it can open no file. */
#include "scenarios/runner/run/native_instance.h"

#include <talloc.h>

#include "api/image/gate.h"
#include "api/image/host.h"
#include "scenarios/runner/run/child.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/image_scanner.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario.h"

enum { GDB_US = 1000000000 };

/* A verdict when the files are not all there; else NULL. */
static struct verdict *files_missing(
    void *context, struct session *session, const struct instance *instance)
{
    const struct scenario *scenario = instance->scenario;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        const struct actor *actor = &scenario->actor[i];
        const struct driver_file *file;

        if (actor->image == NULL) {
            continue;
        }
        file = driver_files_find(session->drivers, actor->image);
        if (file == NULL) {
            return verdict_failed(context, instance, RESULT_SKIP,
                "'%s' may not be run; --allow-driver FILE allows it",
                actor->image);
        }
        if (file->error != NULL) {
            return verdict_failed(context, instance, RESULT_ERROR,
                "cannot read '%s': %s", file->path, file->error);
        }
    }
    return NULL;
}

/* Here, because it takes more of the host than the child may have; once, for a
 * host stays as it is. */
static const struct host_traps *traps_of_host(void)
{
    static struct host_traps traps;

    if (!traps.tested) {
        host_test(&traps);
    }
    return &traps;
}

bool native_instance_files(
    struct session *session, const struct instance *instance)
{
    struct verdict *verdict = files_missing(NULL, session, instance);

    talloc_free(verdict);
    return verdict == NULL;
}

void native_instance_ordered(
    struct session *session, const struct instance *instance)
{
    const struct scenario *scenario = instance->scenario;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (scenario->actor[i].image != NULL) {
            image_scanner_ordered(
                driver_files_find(session->drivers, scenario->actor[i].image));
        }
    }
}

struct child_limits native_instance_limits(
    const struct session *session, uint64_t cpu_us)
{
    const struct memory *memory = &session->machine.memory;
    struct child_limits limits = child_limits_of(cpu_us);

    limits.sandbox.debugged = session->gdb;
    if (session->gdb) {
        limits.sandbox.cpu_us = GDB_US; /* somebody thinks meanwhile */
        limits.wall_ms = GDB_US;
    }
    limits.sandbox.guest = (struct syscall_guest){
        .low = (uintptr_t)memory->base,
        .high =
            (uintptr_t)memory->base + memory->page_count * MEMORY_PAGE_BYTES,
        .gate = gate_system_call(),
    };
    return limits;
}

struct verdict *native_instance_run(void *context, struct session *session,
    const struct instance *instance, uint64_t cpu_us, FILE *trace)
{
    const struct child_limits limits = native_instance_limits(session, cpu_us);
    struct verdict *verdict = files_missing(context, session, instance);
    char why[200];

    if (verdict != NULL) {
        return verdict;
    }
    if (!host_is_fit(traps_of_host(), why, sizeof(why))) {
        return verdict_failed(context, instance, RESULT_ERROR,
            "drivers cannot run on this host: %s", why);
    }
    if (child_is_forked_here(session)) {
        native_instance_ordered(session, instance);
    }
    return child_run(context, session, instance, &limits, trace);
}
