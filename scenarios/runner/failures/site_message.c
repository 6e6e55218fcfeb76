/* site_message.c - names of calls as bytes: how many, then of each its length
 * and its text. */
#include "scenarios/runner/failures/site_message.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/failures/planted.h"
#include "scenarios/runner/text/key_index.h"

static bool is_known(const struct key_index *known, const char *name)
{
    size_t at;

    return key_index_find(known, name, strlen(name), &at);
}

static void send_number(FILE *out, size_t number)
{
    uint32_t sent = (uint32_t)number;

    fwrite(&sent, sizeof(sent), 1, out);
}

void site_message_send(
    FILE *out, const struct planted_log *log, const struct key_index *known)
{
    size_t count = 0;

    for (uint32_t i = 0; log != NULL && i < log->count; i++) {
        count += !is_known(known, log->site[i].name);
    }
    send_number(out, count);
    for (uint32_t i = 0; log != NULL && i < log->count; i++) {
        const char *name = log->site[i].name;

        if (!is_known(known, name)) {
            send_number(out, strlen(name));
            fwrite(name, 1, strlen(name), out);
        }
    }
}

/* The next number. False: there is none. */
static bool take_number(
    const uint8_t *bytes, size_t length, size_t *taken, uint32_t *number)
{
    if (length - *taken < sizeof(*number)) {
        return false;
    }
    memcpy(number, bytes + *taken, sizeof(*number));
    *taken += sizeof(*number);
    return true;
}

struct site_message site_message_read(
    void *context, const uint8_t *bytes, size_t length, const char **problem)
{
    struct site_message message = {.name = NULL};
    uint32_t count = 0, size = 0;

    if (!take_number(bytes, length, &message.taken, &count) ||
        count > PLANTED_SITES) {
        *problem = "it has no such number of calls";
        return message;
    }
    message.name = talloc_array(context, const char *, count + 1);
    assert(message.name != NULL);
    for (; message.count < count; message.count++) {
        const uint8_t *name;

        if (!take_number(bytes, length, &message.taken, &size) || size == 0 ||
            size >= CALL_SITE_NAME_BYTES || size > length - message.taken) {
            *problem = "a call has no name";
            return message;
        }
        name = bytes + message.taken;
        if (memchr(name, '\0', size) != NULL ||
            memchr(name, ' ', size) != NULL ||
            memchr(name, '\n', size) != NULL) {
            *problem = "a call's name is none";
            return message;
        }
        message.name[message.count] =
            talloc_strndup(message.name, (const char *)name, size);
        message.taken += size;
    }
    return message;
}
