/* guest_value.h - looking at a driver's memory from a scenario's expressions,
 * without a fault and without opening anything. */
#ifndef RUNNER_LANGUAGE_GUEST_VALUE_H
#define RUNNER_LANGUAGE_GUEST_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

/* Whether the bytes can be read now. */
bool guest_value_is_there(
    const struct kernel *kernel, const void *at, size_t size);

/* The characters of the UNICODE_STRING at `at`, which can be read, in UTF-8;
 * child of `context`. NULL when the characters cannot be read. */
char *guest_value_text(
    void *context, const struct kernel *kernel, const void *at);

#endif
