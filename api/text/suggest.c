/* suggest.c - "did you mean": the known name that is nearest to a wrong one, by
 * edit distance with swaps of neighbours. */
#include "api/text/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum {
    SUGGEST_LENGTH = 64, /* longer names have no near ones */
    SUGGEST_PREFIX = 4,
    PART_DISTANCE = 2, /* a name that lacks a word of another */
};

static size_t smallest(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int folded(const char *text, size_t n)
{
    return tolower((unsigned char)text[n]);
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t row[3][SUGGEST_LENGTH + 1];
    size_t width = strlen(b), height = strlen(a), distance;

    if (width > SUGGEST_LENGTH || height > SUGGEST_LENGTH) {
        return SUGGEST_LENGTH;
    }
    for (size_t x = 0; x <= width; x++) {
        row[0][x] = x;
    }
    for (size_t y = 1; y <= height; y++) {
        size_t *now = row[y % 3], *above = row[(y + 2) % 3];

        now[0] = y;
        for (size_t x = 1; x <= width; x++) {
            size_t change = folded(a, y - 1) != folded(b, x - 1);

            now[x] = smallest(
                above[x - 1] + change, smallest(above[x], now[x - 1]) + 1);
            if (x > 1 && y > 1 && folded(a, y - 1) == folded(b, x - 2) &&
                folded(a, y - 2) == folded(b, x - 1)) {
                now[x] = smallest(now[x], row[(y + 1) % 3][x - 2] + 1);
            }
        }
    }
    distance = row[height % 3][width];
    /* At least what one is longer, at most every character. */
    assert(distance >= (width > height ? width - height : height - width));
    assert(distance <= (width > height ? width : height));
    return distance;
}

/* Whether the longer name is the shorter one with a word more at either end. */
static bool is_part(const char *longer, const char *shorter)
{
    size_t length = strlen(longer), part = strlen(shorter);

    if (part < SUGGEST_PREFIX || length < part + 2) {
        return false;
    }
    return (strncmp(longer, shorter, part) == 0 && longer[part] == '_') ||
           (longer[length - part - 1] == '_' &&
               strcmp(longer + length - part, shorter) == 0);
}

struct suggestion suggest_for(const char *wrong)
{
    return (struct suggestion){
        .wrong = wrong, .distance = strlen(wrong) / 3 + 1};
}

void suggest_offer(struct suggestion *suggestion, const char *candidate)
{
    size_t distance = suggest_distance(suggestion->wrong, candidate);
    size_t length = strlen(suggestion->wrong);

    if (suggestion->count < SUGGEST_LISTED) {
        suggestion->offered[suggestion->count] = candidate;
    }
    suggestion->count++;
    if (length >= SUGGEST_PREFIX &&
        strncmp(candidate, suggestion->wrong, length) == 0) {
        distance = 1;
    }
    if (is_part(candidate, suggestion->wrong) ||
        is_part(suggestion->wrong, candidate)) {
        distance = distance < PART_DISTANCE ? distance : PART_DISTANCE;
    }
    if (distance < suggestion->distance ||
        (distance == suggestion->distance && suggestion->nearest == NULL)) {
        suggestion->distance = distance;
        suggestion->nearest = candidate;
    }
    assert(suggestion->distance <= length / 3 + 1);
}
