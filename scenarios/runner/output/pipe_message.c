/* pipe_message.c - reads what another process says until it ends, with an eye
 * on the clock and on signals. */
#define _GNU_SOURCE
#include "scenarios/runner/output/pipe_message.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "scenarios/runner/output/interruption.h"

enum { MESSAGE_POLL_MS = 60000, MESSAGE_READ_BYTES = 64 * 1024 };

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits for more of the message. Returns false when the time is up, or the
 * program is to end. */
static bool wait_for_more(int pipe, uint64_t deadline_ms)
{
    struct pollfd wanted[] = {
        {.fd = pipe, .events = POLLIN},
        {.fd = interruption_descriptor(), .events = POLLIN},
    };
    int ready = 0;

    while (ready <= 0) {
        uint64_t now = now_ms();
        uint64_t left = now < deadline_ms ? deadline_ms - now : 0;

        ready = poll(
            wanted, 2, left < MESSAGE_POLL_MS ? (int)left : MESSAGE_POLL_MS);
        assert(ready >= 0 || errno == EINTR);
        if ((ready == 0 && left == 0) || interruption_noted() != 0) {
            return false;
        }
    }
    return true;
}

/* Makes room for a read. */
static void grow(struct pipe_message *message)
{
    if (message->capacity - message->length < MESSAGE_READ_BYTES) {
        message->capacity = 2 * message->capacity + MESSAGE_READ_BYTES;
        message->bytes = realloc(message->bytes, message->capacity);
        assert(message->bytes != NULL);
    }
}

void pipe_message_listen(
    struct pipe_message *message, int pipe, uint64_t wall_ms, size_t most)
{
    uint64_t now = now_ms();
    uint64_t deadline_ms =
        wall_ms > UINT64_MAX - now ? UINT64_MAX : now + wall_ms;
    ssize_t got = 1;

    while (got > 0 && !pipe_message_is_cut(message)) {
        grow(message);
        if (!wait_for_more(pipe, deadline_ms)) {
            message->interrupted = interruption_noted() != 0;
            message->expired = !message->interrupted;
            continue;
        }
        got = TEMP_FAILURE_RETRY(read(pipe, message->bytes + message->length,
            message->capacity - message->length));
        assert(got >= 0);
        message->length += (size_t)got;
        message->too_long = message->length > most;
    }
}

bool pipe_message_is_cut(const struct pipe_message *message)
{
    return message->expired || message->interrupted || message->too_long;
}

void pipe_message_free(struct pipe_message *message)
{
    free(message->bytes);
    *message = (struct pipe_message){0};
}
