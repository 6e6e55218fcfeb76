/* facts.c - what a judge reads of a run, told by one process and heard by
 * another: numbers seven bits to a byte, the lowest first, texts and bytes with
 * their length. */
#include "scenarios/runner/language/facts.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"
#include "sim/base/bits.h"

enum {
    DIGIT_BITS = 7,
    DIGIT_MORE = 1 << DIGIT_BITS, /* another one follows */
};

bool facts_heard(const struct facts *facts)
{
    return facts != NULL && facts->out == NULL;
}

void facts_refuse(struct facts *facts, const char *problem)
{
    if (facts->problem == NULL) {
        facts->problem = problem;
    }
    facts->left = 0;
}

static void tell_number(FILE *out, uint64_t number)
{
    for (; number >= DIGIT_MORE; number >>= DIGIT_BITS) {
        putc((int)(number & bits_low(DIGIT_BITS)) | DIGIT_MORE, out);
    }
    putc((int)number, out);
}

static uint64_t hear_number(struct facts *facts)
{
    uint64_t number = 0;
    unsigned digit = DIGIT_MORE;

    for (unsigned shift = 0; (digit & DIGIT_MORE) != 0; shift += DIGIT_BITS) {
        if (facts->left == 0 || shift >= 64) {
            facts_refuse(facts, facts->left == 0 ? "it ends too early"
                                                 : "a number is too long");
            return 0;
        }
        digit = *facts->at++;
        facts->left--;
        number |= (uint64_t)(digit & bits_low(DIGIT_BITS)) << shift;
    }
    return number;
}

uint64_t facts_number(struct facts *facts, uint64_t number)
{
    if (facts_heard(facts)) {
        return hear_number(facts);
    }
    if (facts != NULL) {
        tell_number(facts->out, number);
    }
    return number;
}

uint64_t facts_below(struct facts *facts, uint64_t number, uint64_t end)
{
    uint64_t fact = facts_number(facts, number);

    if (fact >= end && facts_heard(facts)) {
        facts_refuse(facts, "a number is too large");
        return 0;
    }
    assert(fact < end || facts == NULL);
    return fact;
}

bool facts_flag(struct facts *facts, bool flag)
{
    return facts_below(facts, flag, 2) != 0;
}

size_t facts_count(struct facts *facts, size_t count)
{
    size_t fact = (size_t)facts_number(facts, count);

    if (facts_heard(facts) && fact > facts->left) {
        facts_refuse(facts, "it ends too early");
        return 0;
    }
    return fact;
}

/* A copy with a NUL behind it, zeros where there are not that many. */
static char *hear_bytes(struct facts *facts, size_t count)
{
    char *copy = talloc_zero_size(facts->context, count + 1);

    assert(copy != NULL);
    if (count > facts->left) {
        facts_refuse(facts, "it ends too early");
    } else if (count > 0) {
        memcpy(copy, facts->at, count);
        facts->at += count;
        facts->left -= count;
    }
    return copy;
}

const uint8_t *facts_bytes(
    struct facts *facts, const uint8_t *bytes, size_t count)
{
    if (facts_heard(facts)) {
        return (const uint8_t *)hear_bytes(facts, count);
    }
    if (facts != NULL) {
        fwrite(bytes, 1, count, facts->out);
    }
    return bytes;
}

static const char *hear_text(struct facts *facts)
{
    size_t length = facts_count(facts, 0);
    const char *text = hear_bytes(facts, length);

    if (facts->problem == NULL && strlen(text) != length) {
        facts_refuse(facts, "a text holds a NUL");
    }
    return text;
}

const char *facts_text(struct facts *facts, const char *text)
{
    size_t length;

    if (facts == NULL) {
        return text;
    }
    if (facts_heard(facts)) {
        return hear_text(facts);
    }
    length = strnlen(text, FACTS_TEXT_BYTES);
    facts_count(facts, length);
    fwrite(text, 1, length, facts->out);
    return text;
}

const char *facts_utf8(struct facts *facts, const char *text)
{
    const char *fact = facts_text(facts, text);

    if (facts_heard(facts) && !utf8_is_valid(fact, strlen(fact))) {
        facts_refuse(facts, "a text is no UTF-8");
        return "";
    }
    return fact;
}

const char *facts_text_or_none(struct facts *facts, const char *text)
{
    return facts_flag(facts, text != NULL) ? facts_text(facts, text) : NULL;
}
