/* key_answer.c - the answer of a query, written as far as it fits. */
#include "api/cm/key_answer.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/mm/copy.h"

static const uint8_t zeroes[8];

NTSTATUS key_answer_give(struct kernel *kernel, const struct key_answer *answer,
    const struct key_answer_to *to)
{
    size_t total = 0, at = 0;
    ULONG needed;

    for (size_t i = 0; i < KEY_ANSWER_PIECES; i++) {
        total += answer->piece[i].size;
    }
    needed = (ULONG)total;
    copy_probe(kernel, to->routine, to->result_length, sizeof(needed), true);
    copy_probe(kernel, to->routine, to->buffer, to->length, true);
    copy_out(kernel, to->routine, to->result_length, &needed, sizeof(needed));
    if (to->length < answer->least) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    for (size_t i = 0; i < KEY_ANSWER_PIECES && at < to->length; i++) {
        size_t room = to->length - at;
        size_t size = answer->piece[i].size;
        const void *from = answer->piece[i].at;

        assert(from != NULL || size <= sizeof(zeroes));
        size = size < room ? size : room;
        copy_out(kernel, to->routine, (uint8_t *)to->buffer + at,
            from == NULL ? zeroes : from, size);
        at += size;
    }
    return total <= to->length ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}
