/* failure_log.h - which calls were made to fail so far, and what came of it: a
 * file that is written to as results come, and from which a run that was
 * interrupted goes on. It is of one program, command, suite and drivers. */
#ifndef RUNNER_FAILURES_FAILURE_LOG_H
#define RUNNER_FAILURES_FAILURE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct failure_log;
struct part_head;

/* Opens the file, or makes it. NULL after saying on `errors` why it cannot be
 * used; nothing is written then. Child of `context`. */
struct failure_log *failure_log_open(void *context, const char *path,
    const struct part_head *head, FILE *errors);

/* The result that the key had then; NULL: none. */
const uint8_t *failure_log_find(
    const struct failure_log *log, const char *key, size_t *length);

/* Writes one. False: the host does not take it (errno). */
bool failure_log_add(
    struct failure_log *log, const char *key, const void *bytes, size_t length);

#endif
