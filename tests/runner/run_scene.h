/* run_scene.h - ntpmu run on a directory of a test's own, in a child process.
 * Who includes it defines _GNU_SOURCE. */
#ifndef TESTS_RUNNER_RUN_SCENE_H
#define TESTS_RUNNER_RUN_SCENE_H

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/command_line/options.h"
#include "tests/runner/directory.h"

/* A scenario of one question, which is answered rightly where `level` is 0. */
#define RUN_SCENARIO(id, level)                                                \
    "ntpmu: 1\nid: " id "\ntitle: Test\nsteps:\n"                              \
    "- {call: KeGetCurrentIrql, expect: {returns: " level                      \
    ", covers: [IRQL-GEN-01]}}\n"

enum { RUN_SCENE_WORDS = 8, RUN_SCENE_BYTES = 16 * 1024 };

struct run_scene {
    void *memory;
    char *directory;
    pid_t child;
    int output;                 /* what the child writes */
    char text[RUN_SCENE_BYTES]; /* of that what was read */
    size_t length;
};

static inline void run_scene_init(struct run_scene *scene)
{
    *scene = (struct run_scene){.memory = talloc_new(NULL)};
    scene->directory = directory_new(scene->memory);
}

static inline void run_scene_release(struct run_scene *scene)
{
    directory_remove(scene->directory);
    talloc_free(scene->memory);
}

/* The child's whole life: ntpmu WORD... in the directory. It ends as it is,
 * because the test's own checks at exit are not its. */
static inline _Noreturn void run_scene_live(
    const struct run_scene *scene, const char *const *words)
{
    char *argv[RUN_SCENE_WORDS + 2] = {talloc_strdup(scene->memory, "ntpmu")};
    struct options options;
    int argc = 1;
    int code = EXIT_USAGE;

    for (; words[argc - 1] != NULL; argc++) {
        argv[argc] = talloc_strdup(scene->memory, words[argc - 1]);
    }
    if (chdir(scene->directory) == 0 &&
        setenv("XDG_CACHE_HOME", "/dev/null", 1) == 0 &&
        options_read(&options, argc, argv, stderr)) {
        code = (int)command_run(&options);
    }
    fflush(stdout);
    _exit(code);
}

/* Reads until the text has `end` after the first `from` bytes, or to the end of
 * the output when `end` is NULL. */
static inline void run_scene_read(
    struct run_scene *scene, size_t from, const char *end)
{
    ssize_t got = 1;

    while (
        got > 0 && (end == NULL || strstr(scene->text + from, end) == NULL)) {
        assert_true(scene->length < RUN_SCENE_BYTES - 1);
        /* A terminal whose other end is closed gives an error. */
        got = read(scene->output, scene->text + scene->length,
            RUN_SCENE_BYTES - 1 - scene->length);
        scene->length += got > 0 ? (size_t)got : 0;
    }
    assert_true(end == NULL || got > 0);
}

/* Returns its status. */
static inline int run_scene_wait(struct run_scene *scene)
{
    int status;

    assert_int_equal(waitpid(scene->child, &status, 0), scene->child);
    close(scene->output);
    return status;
}

#endif
