/* byte_marks.h - marks of the bytes of an image: four kinds, a bit each, looked
 * at and changed 64 bytes at a time. Kinds are the caller's, bits 0 to 3;
 * inline, as it is known where it is asked which they are. */
#ifndef API_IMAGE_BYTE_MARKS_H
#define API_IMAGE_BYTE_MARKS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/bits.h"

enum { BYTE_MARK_KINDS = 4, BYTE_MARK_WORD = 64 };

struct byte_marks {
    uint64_t (*word)[BYTE_MARK_KINDS]; /* of 64 bytes, by kind */
    uint32_t size;                     /* bytes that have marks */
};

/* Without a mark. False: there is no memory for them. */
bool byte_marks_init(struct byte_marks *marks, uint32_t size);

void byte_marks_release(struct byte_marks *marks);

/* Bits of the bytes from `at` to `end` in the word of `at`. */
static inline uint64_t byte_marks_part(uint32_t at, uint32_t end)
{
    uint64_t behind = UINT64_MAX << at % BYTE_MARK_WORD;

    return end / BYTE_MARK_WORD == at / BYTE_MARK_WORD
               ? behind & bits_low(end % BYTE_MARK_WORD)
               : behind;
}

/* The first byte of the next word; `end` where there is none before it. */
static inline uint32_t byte_marks_next(uint32_t at, uint32_t end)
{
    uint32_t left = BYTE_MARK_WORD - at % BYTE_MARK_WORD;

    return left < end - at ? at + left : end;
}

/* Adds these kinds to the bytes from `at` to `end`, or takes them away. */
static inline void byte_marks_add(
    struct byte_marks *marks, uint32_t at, uint32_t end, unsigned kinds)
{
    assert(end <= marks->size);
    for (; at < end; at = byte_marks_next(at, end)) {
        for (unsigned kind = 0; kind < BYTE_MARK_KINDS; kind++) {
            marks->word[at / BYTE_MARK_WORD][kind] |=
                (kinds >> kind & 1) != 0 ? byte_marks_part(at, end) : 0;
        }
    }
}

static inline void byte_marks_remove(
    struct byte_marks *marks, uint32_t at, uint32_t end, unsigned kinds)
{
    assert(end <= marks->size);
    for (; at < end; at = byte_marks_next(at, end)) {
        for (unsigned kind = 0; kind < BYTE_MARK_KINDS; kind++) {
            marks->word[at / BYTE_MARK_WORD][kind] &=
                ~((kinds >> kind & 1) != 0 ? byte_marks_part(at, end) : 0);
        }
    }
}

/* Bytes of the word that have other marks of the kinds that are looked at than
 * those wanted. */
static inline uint64_t byte_marks_others(const struct byte_marks *marks,
    uint32_t word, unsigned looked_at, unsigned wanted)
{
    uint64_t others = 0;

    for (unsigned kind = 0; kind < BYTE_MARK_KINDS; kind++) {
        uint64_t has = marks->word[word][kind];

        if ((looked_at >> kind & 1) != 0) {
            others |= (wanted >> kind & 1) != 0 ? ~has : has;
        }
    }
    return others;
}

/* The first such byte from `at` to `end`; `end`: there is none. */
static inline uint32_t byte_marks_first_other(const struct byte_marks *marks,
    uint32_t at, uint32_t end, unsigned looked_at, unsigned wanted)
{
    assert(end <= marks->size && (wanted & ~looked_at) == 0);
    for (; at < end; at = byte_marks_next(at, end)) {
        uint64_t others =
            byte_marks_others(marks, at / BYTE_MARK_WORD, looked_at, wanted) &
            byte_marks_part(at, end);

        if (others != 0) {
            return at / BYTE_MARK_WORD * BYTE_MARK_WORD + bits_lowest(others);
        }
    }
    return end;
}

/* Whether the byte has just the marks wanted of those that are looked at. */
static inline bool byte_marks_are(const struct byte_marks *marks, uint32_t at,
    unsigned looked_at, unsigned wanted)
{
    assert(at < marks->size);
    return (byte_marks_others(marks, at / BYTE_MARK_WORD, looked_at, wanted) >>
                   at % BYTE_MARK_WORD &
               1) == 0;
}

#endif
