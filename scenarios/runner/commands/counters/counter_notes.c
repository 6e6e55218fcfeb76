/* counter_notes.c - what is wrong with counters that were sampled, once for all
 * counters of a set of which it is said. */
#include "scenarios/runner/commands/counters/counter_notes.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run/samples.h"

enum { NOTE_NAMES = 20 };

struct counter_note {
    size_t appeared;
    const char *text;
    char *names;
    size_t counters;
    struct counter_note *next; /* of this set */
};

struct set_notes {
    uint8_t *noted; /* by counter id: bits of enum counter_noted; NULL: none */
    struct counter_note *first;
};

struct counter_notes {
    const struct samples *samples;
    struct set_notes *set; /* by number of those that appeared */
    struct counter_note **item;
    size_t count;
};

struct counter_notes *counter_notes_new(
    void *context, const struct samples *samples)
{
    struct counter_notes *notes = talloc_zero(context, struct counter_notes);

    assert(notes != NULL);
    notes->samples = samples;
    notes->set = talloc_zero_array(
        notes, struct set_notes, (unsigned)samples->appeared_count + 1);
    assert(notes->set != NULL);
    return notes;
}

bool counter_notes_is_news(struct counter_notes *notes, size_t appeared,
    uint32_t counter, enum counter_noted noted)
{
    struct set_notes *set = &notes->set[appeared];
    const uint8_t bit = (uint8_t)(1u << noted);
    bool news;

    if (set->noted == NULL) {
        set->noted = talloc_zero_array(notes->set, uint8_t, UINT16_MAX + 1);
        assert(set->noted != NULL);
    }
    news = (set->noted[counter] & bit) == 0;
    set->noted[counter] |= bit;
    return news;
}

static struct counter_note *note_of(
    struct counter_notes *notes, size_t appeared, const char *text)
{
    struct counter_note *note = notes->set[appeared].first;

    while (note != NULL && strcmp(note->text, text) != 0) {
        note = note->next;
    }
    if (note != NULL) {
        return note;
    }
    note = talloc_zero(notes, struct counter_note);
    assert(note != NULL);
    note->appeared = appeared;
    note->text = talloc_strdup(note, text);
    note->names = talloc_strdup(note, "");
    note->next = notes->set[appeared].first;
    notes->set[appeared].first = note;
    notes->item = talloc_realloc(
        notes, notes->item, struct counter_note *, (unsigned)notes->count + 1);
    assert(notes->item != NULL);
    notes->item[notes->count++] = note;
    return note;
}

void counter_notes_add(struct counter_notes *notes, size_t appeared,
    uint32_t counter, const char *name, const char *text)
{
    struct counter_note *note = note_of(notes, appeared, text);
    const char *before = note->counters == 0 ? "" : ", ";

    if (note->counters++ >= NOTE_NAMES) {
        return;
    }
    note->names = name != NULL ? talloc_asprintf_append(
                                     note->names, "%s'%s'", before, name)
                               : talloc_asprintf_append(note->names,
                                     "%s%" PRIu32, before, counter);
    assert(note->names != NULL);
}

char *counter_notes_text(
    void *context, const struct counter_notes *notes, size_t n)
{
    const struct counter_note *note;
    char *text;

    if (n >= notes->count) {
        return NULL;
    }
    note = notes->item[n];
    text = talloc_asprintf(context, "counter set '%s': %s: %s",
        notes->samples->appeared[note->appeared], note->text, note->names);
    if (note->counters > NOTE_NAMES) {
        text = talloc_asprintf_append(text, ", ... %zu in all", note->counters);
    }
    assert(text != NULL);
    return text;
}
