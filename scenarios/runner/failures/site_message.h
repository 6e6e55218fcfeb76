/* site_message.h - the names of calls that a run has met as bytes, for another
 * process and for a log. */
#ifndef RUNNER_FAILURES_SITE_MESSAGE_H
#define RUNNER_FAILURES_SITE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct key_index;
struct planted_log;

struct site_message {
    const char **name; /* children of the context */
    size_t count;
    size_t taken; /* bytes */
};

/* Those that are not known. A log of NULL has none. */
void site_message_send(
    FILE *out, const struct planted_log *log, const struct key_index *known);

/* Reads what was sent from the beginning of the bytes. *problem stays as it is,
 * or says why they are none. */
struct site_message site_message_read(
    void *context, const uint8_t *bytes, size_t length, const char **problem);

#endif
