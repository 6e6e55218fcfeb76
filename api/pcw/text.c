/* text.c - UTF-16 text, compared without case by a table of all code units. */
#include "api/pcw/text.h"

#include <assert.h>
#include <string.h>
#include <unicase.h>
#include <unistr.h>

#include "api/fnv.h"

enum { UNITS = 0x10000, REPLACEMENT = 0xFFFD };

/* Unicode gives halves of pairs no case. */
static uint16_t upper_case(uint16_t unit)
{
    ucs4_t upper = uc_toupper(unit);

    return upper < UNITS ? (uint16_t)upper : unit;
}

/* Made at the first use; the same on every host with the same libunistring. */
static const uint16_t *fold_table(void)
{
    static uint16_t table[UNITS];
    static bool made;

    if (made) {
        return table;
    }
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        table[unit] = upper_case((uint16_t)unit);
    }
    made = true;
    return table;
}

uint16_t pcw_fold(uint16_t unit)
{
    return fold_table()[unit];
}

bool pcw_text_equal(struct pcw_text left, struct pcw_text right)
{
    const uint16_t *fold = fold_table();

    if (left.length != right.length) {
        return false;
    }
    for (size_t i = 0; i < left.length; i++) {
        if (fold[left.at[i]] != fold[right.at[i]]) {
            return false;
        }
    }
    return true;
}

uint32_t pcw_text_hash(struct pcw_text text)
{
    const uint16_t *fold = fold_table();
    uint64_t hash = FNV1A_EMPTY;
    uint32_t folded;

    for (size_t i = 0; i < text.length; i++) {
        uint16_t unit = fold[text.at[i]];

        hash = fnv1a_byte(hash, (uint8_t)unit);
        hash = fnv1a_byte(hash, (uint8_t)(unit >> 8));
    }
    folded = (uint32_t)(hash ^ hash >> 32);
    return folded != 0 ? folded : 1;
}

/* Every `*` first stands for nothing. Where the text then does not go on as the
 * mask does, the last `*` takes one code unit more; an earlier one need never,
 * because what the last can take includes it. */
bool pcw_text_matches(struct pcw_text text, struct pcw_text mask)
{
    const uint16_t *fold = fold_table();
    size_t at = 0;
    size_t wanted = 0;
    size_t star = 0;  /* place in the mask behind the last `*`; 0: none yet */
    size_t retry = 0; /* where in the text that begins again */

    while (at < text.length) {
        if (wanted < mask.length && mask.at[wanted] == '*') {
            star = ++wanted;
            retry = at;
        } else if (wanted < mask.length &&
                   (mask.at[wanted] == '?' ||
                       fold[mask.at[wanted]] == fold[text.at[at]])) {
            wanted++;
            at++;
        } else if (star != 0) {
            wanted = star;
            at = ++retry;
        } else {
            return false;
        }
    }
    while (wanted < mask.length && mask.at[wanted] == '*') {
        wanted++;
    }
    return wanted == mask.length;
}

void pcw_text_utf8(struct pcw_text text, char *utf8, size_t size)
{
    size_t done = 0;

    assert(size > 0);
    for (size_t i = 0; i < text.length;) {
        uint8_t bytes[4];
        ucs4_t code;
        int length;

        i += (size_t)u16_mbtouc(&code, text.at + i, text.length - i);
        length =
            u8_uctomb(bytes, code != 0 ? code : REPLACEMENT, sizeof(bytes));
        assert(length > 0);
        if (size - done <= (size_t)length) {
            break;
        }
        memcpy(utf8 + done, bytes, (size_t)length);
        done += (size_t)length;
    }
    utf8[done] = '\0';
}
