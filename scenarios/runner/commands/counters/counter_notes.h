/* counter_notes.h - what is wrong with counters that were sampled: another
 * size, or only one of driver and manifest has them; and with instances, one id
 * for several. Counters, or instances, of a set of which the same is said share
 * a note. */
#ifndef RUNNER_COMMANDS_COUNTERS_COUNTER_NOTES_H
#define RUNNER_COMMANDS_COUNTERS_COUNTER_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct samples;
struct counter_notes;

enum counter_noted {
    COUNTER_NOTED_WIDTH,
    COUNTER_NOTED_NOT_DESCRIBED,
    COUNTER_NOTED_NOT_REGISTERED,
    COUNTER_NOTED_FILLED,
    COUNTER_NOTED_SHARED_ID, /* of instances: asked of counter 0 */
};

/* Of these samples, which outlive them. Child of `context`. */
struct counter_notes *counter_notes_new(
    void *context, const struct samples *samples);

/* Whether that counter of the set, a number of those that appeared, is to be
 * noted for that: it is not yet, whatever instance has it. */
bool counter_notes_is_news(struct counter_notes *notes, size_t appeared,
    uint32_t counter, enum counter_noted noted);

/* Notes it; `name` is that of the counter or instance, NULL where it has none,
 * `text` says what is wrong. Both are copied. */
void counter_notes_add(struct counter_notes *notes, size_t appeared,
    uint32_t counter, const char *name, const char *text);

/* The n-th, in order of its first counter; NULL: there are no more. Child of
 * `context`. */
char *counter_notes_text(
    void *context, const struct counter_notes *notes, size_t n);

#endif
