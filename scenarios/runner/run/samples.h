/* samples.h - what a consumer saw of the counter sets while a scenario ran:
 * times, sets, instances and raw values. Knows nothing of manifests. */
#ifndef RUNNER_RUN_SAMPLES_H
#define RUNNER_RUN_SAMPLES_H

#include <stdint.h>

#include "scenarios/runner/counters/rows.h"

/* How a consumer samples. */
struct sampling {
    const char *const *argv; /* of the call that asks for it; NULL: none */
    int argc;
    uint64_t every_us;      /* of machine time, not 0 */
    uint64_t most;          /* samples; 0: as many as there is time for */
    const char *const *set; /* names of those that it wants; count 0: all */
    size_t set_count;
    const char *const *single; /* names of those with one instance at most */
    size_t single_count;
    bool marks; /* what happened in between is wanted, too */
};

enum { SAMPLES_BYTES = 16 << 20 }; /* as samples_send() counts them */

struct sampled_set {
    size_t appeared; /* which one: index */
    struct rows *rows;
};

struct sample {
    struct sampled_set *set; /* one at the least */
    size_t set_count;
};

/* One text, however often it came. */
struct sample_note {
    const char *text;
    uint32_t times;
};

/* What happened at one moment of a processor. */
struct sample_mark {
    uint64_t cycles;
    uint32_t processor;
    bool is_rule;
    uint32_t what; /* the broken rule, or the index of the overflowed counter */
};

enum { SAMPLES_MARKS = 1 << 16 }; /* the most that are kept */

struct samples {
    struct sample *item;
    size_t count;
    const char **appeared; /* names of all sets, wanted or not, in order */
    size_t appeared_count;
    struct sample_note *note; /* what went wrong */
    size_t note_count;
    struct sample_mark *mark; /* in no order */
    size_t mark_count;
    size_t bytes; /* that all but the marks take */
    size_t sent_names, sent_samples, sent_marks; /* samples_pipe.h */
};

struct samples *samples_new(void *context);

/* A name that is copied; returns its index. */
size_t samples_add_name(struct samples *samples, const char *name);

/* Begins a sample; the last one has ended. Each of its sets has the time at
 * which it was collected. */
void samples_add_sample(struct samples *samples);

/* A set of the last sample; `rows` are a child of the samples. */
void samples_add_set(
    struct samples *samples, size_t appeared, struct rows *rows);

__attribute__((format(printf, 2, 3))) void samples_add_note(
    struct samples *samples, const char *format, ...);

/* Adds one; from SAMPLES_MARKS on a note says that there were more. */
void samples_add_mark(struct samples *samples, const struct sample_mark *mark);

/* Takes a last sample away that has no instance. */
void samples_end_sample(struct samples *samples);

#endif
