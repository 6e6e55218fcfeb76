/* nursery_line.h - what goes over the lines of a nursery: whole messages, with
 * descriptors beside them. */
#ifndef RUNNER_RUN_NURSERY_LINE_H
#define RUNNER_RUN_NURSERY_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { NURSERY_DESCRIPTORS = 2, NURSERY_NAME_BYTES = 8192 };

/* A child that is asked for; the pipe goes beside it. The answers are whether
 * it has begun, then its status, each an int32_t. */
struct nursery_order {
    uint64_t cpu_us;
    uint64_t hash; /* of the file's text */
    bool traced;
    bool explores;
    char name[NURSERY_NAME_BYTES]; /* the file's path, NUL, the instance's id,
                                      NUL */
};

/* Puts both names in. False: they are too long. */
bool nursery_order_name(
    struct nursery_order *order, const char *path, const char *id);

/* The id in it. */
const char *nursery_order_id(const struct nursery_order *order);

uint64_t nursery_hash(const char *text, size_t length);

/* False: it could not be sent. A message of 0 bytes is sent as one byte. */
bool nursery_send(int line, const void *bytes, size_t length,
    const int *descriptor, size_t descriptors);

/* Waits for a message. Returns its bytes, 0 when the line has ended. Takes as
 * many descriptors as were sent, or none: -1. */
ssize_t nursery_receive(
    int line, void *bytes, size_t length, int *descriptor, size_t descriptors);

#endif
