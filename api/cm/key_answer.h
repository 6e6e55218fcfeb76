/* key_answer.h - what a query of the registry gives: a fixed part and what
 * stands behind it, as much as a driver's buffer has room for (REG-04a). */
#ifndef API_CM_KEY_ANSWER_H
#define API_CM_KEY_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

enum { KEY_ANSWER_PIECES = 4 };

struct key_answer {
    struct {
        const void *at; /* NULL: zeroes */
        size_t size;
    } piece[KEY_ANSWER_PIECES]; /* the first is the fixed part */
    size_t least;               /* what a buffer has to have for any of it */
};

/* The buffer of a call and where it wants to know how much that would be. */
struct key_answer_to {
    enum routine routine;
    PVOID buffer;
    ULONG length;
    PULONG result_length;
};

/* STATUS_BUFFER_TOO_SMALL: nothing was written; STATUS_BUFFER_OVERFLOW: a part.
 * It may raise, before it has written anything. */
NTSTATUS key_answer_give(struct kernel *kernel, const struct key_answer *answer,
    const struct key_answer_to *to);

#endif
