/* program_scene.h - the program ntpmu, called in a directory of its own that is
 * removed in the end. */
#ifndef TESTS_BENCH_PROGRAM_SCENE_H
#define TESTS_BENCH_PROGRAM_SCENE_H

#include <stdint.h>
#include <stdio.h>

enum { PROGRAM_ARGUMENTS = 8 };

/* A file below the directory, to write to; the directories on its way are made.
 * The caller closes it. */
FILE *program_scene_file(const char *path);

/* Calls it with these arguments, up to a NULL, and returns the nanoseconds of
 * processor time that it and its children took. Its last results lie in the
 * directory `cache`. It has to exit with 0; what it prints goes nowhere. */
double program_scene_run(const char *cache, const char *const *arguments);

#endif
