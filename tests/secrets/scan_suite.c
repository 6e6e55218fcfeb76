/* scan_suite.c - the suite's scenarios of native drivers are run, and all guest
 * memory is searched for addresses of the simulator's own: each block when it
 * is freed, and all that is left at the end.
 *
 * usage: scan_suite DRIVERS SCENARIO...
 *
 * A number may look like an address of ours by chance, one run in a hundred:
 * where there is one the program runs itself again, with other addresses, and
 * believes it the third time. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/secrets/host_ranges.h"

enum { BUDGET = 1 << 24 }; /* preemption points, more than one takes */

/* What the search was of, and what it found, in the process of one instance. */
static struct {
    struct host_ranges ranges;
    const char *instance;
    size_t bytes;
    size_t found;
} search;

static void search_bytes(const char *what, uintptr_t from, size_t size)
{
    uint8_t *copy = malloc(size);
    uint64_t value;
    size_t at;

    assert(copy != NULL);
    host_ranges_read(&search.ranges);
    if (host_memory_read(from, copy, size)) {
        search.bytes += size;
        at = host_ranges_find(&search.ranges, copy, size);
        if (at < size) {
            search.found++;
            memcpy(&value, copy + at, sizeof(value));
            printf("%s: %s of %zu bytes at 0x%jX has 0x%jX at 0x%zX\n",
                search.instance, what, size, (uintmax_t)from, (uintmax_t)value,
                at);
        }
    }
    free(copy);
}

/* Instead of memory_free(), by the linker's --wrap. */
void __real_memory_free(struct memory *memory, void *start);
void __wrap_memory_free(struct memory *memory, void *start);
void __wrap_memory_free(struct memory *memory, void *start)
{
    const struct memory_block *block = memory_find(memory, start);

    if (block != NULL && block->pages > 0) {
        search_bytes("a freed block", (uintptr_t)block->start, block->size);
    }
    __real_memory_free(memory, start);
}

static void search_machine(const struct machine *machine)
{
    const struct memory *memory = &machine->memory;
    const struct stack_pool *stacks = &machine->guest_stacks;

    for (size_t i = 0; i < memory->block_count; i++) {
        const struct memory_block *block = &memory->block[i];

        if (!block->freed && block->pages > 0) {
            search_bytes("a block", (uintptr_t)block->start, block->size);
        }
    }
    for (uint32_t i = 0; i < stacks->made; i++) {
        size_t slot = stacks->stack_bytes + STACK_GUARD_BYTES;

        search_bytes("a stack",
            (uintptr_t)stacks->base + i * slot + STACK_GUARD_BYTES,
            stacks->stack_bytes);
    }
}

/* The life of an instance's process. */
static _Noreturn void run(
    struct session *session, const struct instance *instance)
{
    struct instance opened = instance_open(NULL, instance);

    search.instance = opened.id;
    run_instance(NULL, session, &opened);
    search_machine(&session->machine);
    if (search.bytes == 0) {
        printf("%s: nothing was searched\n", search.instance);
        search.found++;
    }
    fflush(stdout);
    _exit(search.found == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool passes(struct session *session, const struct instance *instance)
{
    pid_t child;
    int status;

    fflush(NULL);
    child = fork();
    assert(child >= 0);
    if (child == 0) {
        run(session, instance);
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status)) {
        printf("%s: ended by a signal\n", instance->id);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* Returns when it has been tried often enough. */
static void try_again(char **argv)
{
    const char *before = getenv("SCAN_SUITE_RUN");
    char next[] = "2";

    if (before != NULL) {
        next[0] = (char)(before[0] + 1);
    }
    if (next[0] <= '3') {
        setenv("SCAN_SUITE_RUN", next, 1);
        fflush(stdout);
        execv("/proc/self/exe", argv);
    }
}

int main(int argc, char **argv)
{
    struct suite *suite;
    struct session session;
    const char *drivers[1];
    size_t run_count = 0, failed = 0;

    assert(argc > 2);
    drivers[0] = argv[1];
    suite = suite_read(NULL, &language_kinds, argv + 2, (size_t)(argc - 2));
    assert(session_open(&session, suite->requirements));
    session.budget = BUDGET;
    session.drivers = driver_files_new(suite, drivers, 1);
    for (size_t i = 0; i < suite->instances->count; i++) {
        const struct instance *instance = &suite->instances->item[i];

        if (instance->native) {
            run_count++;
            failed += !passes(&session, instance);
        }
    }
    session_close(&session);
    printf("%zu of %zu instances have an address of ours\n", failed, run_count);
    if (failed > 0) {
        try_again(argv);
    }
    return failed == 0 && run_count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
