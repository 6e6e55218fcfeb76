/* runner_scene.h - scenarios that the benchmarks of the runner need, as texts
 * and as files. Memory is talloc's, a child of `context`. */
#ifndef TESTS_BENCH_RUNNER_SCENE_H
#define TESTS_BENCH_RUNNER_SCENE_H

#include <stddef.h>

/* Five steps with one overflow on two processors. */
const char *runner_scene_overflow(void);

/* A directory with so many files of it, which differ in their ids. It is there
 * until the program ends. */
const char *runner_scene_files(size_t count);

/* The path of one of these files. */
void runner_scene_files_path(
    char *path, size_t size, const char *directory, size_t number);

/* The same as one file of so many instances, a multiple of 100; child of
 * `context`. */
const char *runner_scene_instances(void *context, size_t count);

/* A valid scenario of 1 MiB: as many steps as one may have, each with a list of
 * structures; *length in bytes. */
char *runner_scene_large(void *context, size_t *length);

/* 1,000,000 times `[`. */
char *runner_scene_brackets(void *context, size_t *length);

/* The path of a new file with that text, which goes away with `context`. */
const char *runner_scene_file(void *context, const char *text, size_t length);

#endif
