/* driven.h - what several images came to: how many passed, and those that
 * failed, the same failures once with all images that had them. */
#ifndef RUNNER_COMMANDS_DRIVE_DRIVEN_H
#define RUNNER_COMMANDS_DRIVE_DRIVEN_H

#include <stddef.h>
#include <stdio.h>

#include "scenarios/runner/run/verdict.h"

struct driven;

/* Of a call that names so many. Child of `context`. */
struct driven *driven_new(void *context, size_t named);

/* Notes an image. `failures` is what was printed of them, whole lines; both
 * texts are copied. */
void driven_add(struct driven *driven, const char *path, enum result result,
    const char *failures);

/* Prints them, and how many were not driven; nothing where one was named, of
 * which all is said. */
void driven_print(const struct driven *driven, FILE *out);

/* Only those that failed. */
void driven_print_failed(const struct driven *driven, FILE *out);

#endif
