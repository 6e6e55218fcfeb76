/* schedule_text.c - a schedule as a word that can be copied, written and read.
 */
#include "scenarios/runner/explore/schedule_text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "sim/machine/schedule.h"

#define VERSION "v1:"
#define CHOICES_EXPECTED                                                       \
    "expected the number of choices at its end: v1:12.1-30.0/64"

/* What is no processor. */
static const struct {
    const char *name;
    uint32_t candidate;
} words[] = {{"clock", SCHEDULE_CLOCK}, {"later", SCHEDULE_LATER}};

enum { WORDS = sizeof(words) / sizeof(words[0]) };

/* Bytes that a deviation takes at the most, and all that is around them. */
enum {
    ITEM_BYTES = sizeof("-4294967295.clock") - 1,
    FRAME_BYTES = sizeof("v1:/4294967295+"),
};

__attribute__((format(printf, 2, 3))) static void put(
    struct schedule_writer *writer, const char *format, ...)
{
    bool fits = writer->length < writer->room;
    va_list values;
    int length;

    va_start(values, format);
    length = vsnprintf(fits ? writer->text + writer->length : NULL,
        fits ? writer->room - writer->length : 0, format, values);
    va_end(values);
    assert(length > 0);
    writer->length += (size_t)length;
}

static void put_head(struct schedule_writer *writer)
{
    put(writer, "%s", writer->begun ? "-" : VERSION);
    writer->begun = true;
}

void schedule_write(struct schedule_writer *writer, struct deviation deviation)
{
    put_head(writer);
    for (size_t n = 0; n < WORDS; n++) {
        if (words[n].candidate == deviation.processor) {
            put(writer, "%u.%s", (unsigned)deviation.choice, words[n].name);
            return;
        }
    }
    assert(deviation.processor < LIMIT_PROCESSORS);
    put(writer, "%u.%u", (unsigned)deviation.choice,
        (unsigned)deviation.processor);
}

bool schedule_write_end(
    struct schedule_writer *writer, uint32_t choices, bool broken_off)
{
    if (!writer->begun) {
        put_head(writer);
    }
    put(writer, "/%u%s", (unsigned)choices, broken_off ? "+" : "");
    if (writer->length >= writer->room) {
        writer->text[0] = '\0';
        return false;
    }
    return true;
}

char *schedule_text(void *context, const struct deviations *deviations)
{
    struct schedule_writer writer = {
        .room = FRAME_BYTES + deviations->count * ITEM_BYTES};
    bool fits;

    writer.text = talloc_array(context, char, (unsigned)writer.room);
    assert(writer.text != NULL);
    for (size_t i = 0; i < deviations->count; i++) {
        schedule_write(&writer, deviations->item[i]);
    }
    fits = schedule_write_end(
        &writer, deviations->choices, deviations->broken_off);
    assert(fits);
    (void)fits;
    return writer.text;
}

/* A decimal number up to `limit`, and what has to stand behind it. */
static bool take_number(
    const char **at, uint32_t limit, const char *behind, uint32_t *number)
{
    uint64_t value = 0;
    const char *digit = *at;

    while (*digit >= '0' && *digit <= '9' && value <= limit) {
        value = 10 * value + (uint64_t)(*digit - '0');
        digit++;
    }
    if (digit == *at || value > limit || strchr(behind, *digit) == NULL) {
        return false;
    }
    *number = (uint32_t)value;
    *at = digit;
    return true;
}

/* A processor or a word, and the end of a deviation behind it. */
static bool take_candidate(const char **at, uint32_t *candidate)
{
    for (size_t n = 0; n < WORDS; n++) {
        size_t length = strlen(words[n].name);

        if (strncmp(*at, words[n].name, length) == 0) {
            *at += length;
            *candidate = words[n].candidate;
            return **at == '-' || **at == '/';
        }
    }
    return take_number(at, LIMIT_PROCESSORS - 1, "-/", candidate) &&
           **at != '\0';
}

static bool take_deviation(const char **at, struct deviations *deviations)
{
    struct deviation *item = &deviations->item[deviations->count];
    bool taken = take_number(at, UINT32_MAX - 1, ".", &item->choice);

    if (!taken || **at != '.') {
        return false;
    }
    ++*at;
    if (!take_candidate(at, &item->processor)) {
        return false;
    }
    deviations->count++;
    return deviations->count == 1 || item[-1].choice < item->choice;
}

const char *schedule_text_read(
    void *context, const char *text, struct deviations *deviations)
{
    const char *at = text + strlen(VERSION);

    if (strncmp(text, VERSION, strlen(VERSION)) != 0) {
        return "a schedule begins with " VERSION;
    }
    *deviations = (struct deviations){
        .item =
            talloc_array(context, struct deviation, (unsigned)strlen(text))};
    assert(deviations->item != NULL);
    while (*at != '/') {
        if (!take_deviation(&at, deviations)) {
            return "expected choices in ascending order, each with its "
                   "processor, clock or later: v1:12.1-30.clock/64";
        }
        at += *at == '-';
        if (at[-1] == '-' && *at == '/') {
            return "a choice is missing behind the last -";
        }
    }
    at++;
    if (!take_number(&at, UINT32_MAX, "+", &deviations->choices)) {
        return CHOICES_EXPECTED;
    }
    deviations->broken_off = *at == '+';
    at += deviations->broken_off;
    if (*at != '\0') {
        return CHOICES_EXPECTED;
    }
    return NULL;
}
