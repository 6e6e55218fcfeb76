/* pipe_message.h - what another process says over a pipe: everything until its
 * end is closed, unless the time is up, it is too long, or the program is to
 * end. */
#ifndef RUNNER_OUTPUT_PIPE_MESSAGE_H
#define RUNNER_OUTPUT_PIPE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing so far. One of the conditions, or none: it has ended. */
struct pipe_message {
    uint8_t *bytes; /* of malloc(); NULL: none */
    size_t length, capacity;
    bool expired;     /* by the clock */
    bool interrupted; /* by a signal (interruption.h) */
    bool too_long;
};

/* No limit of time. */
#define PIPE_MESSAGE_FOREVER UINT64_MAX

/* Reads until one of them. More bytes than `most` are too long. Needs
 * interruption_defer(); without it nothing interrupts. */
void pipe_message_listen(
    struct pipe_message *message, int pipe, uint64_t wall_ms, size_t most);

/* Whether whoever speaks has not ended by itself. */
bool pipe_message_is_cut(const struct pipe_message *message);

void pipe_message_free(struct pipe_message *message);

#endif
