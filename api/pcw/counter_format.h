/* counter_format.h - the figure that a consumer shows for a counter, made of
 * two samples as the counter's type says (PCW-CON-02). Knows nothing of
 * providers. */
#ifndef API_PCW_COUNTER_FORMAT_H
#define API_PCW_COUNTER_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nt/counter_type.h"

/* A counter's value at one time, with all that its type may need. */
struct counter_sample {
    uint64_t value;
    uint64_t base;        /* of the counter in baseID */
    uint64_t multi;       /* of the one in multiCounterID */
    uint64_t object_time; /* of the one in perfTimeID */
    uint64_t object_freq; /* of the one in perfFreqID, per second */
    uint64_t perf_time;   /* the performance counter, in its ticks */
    uint64_t perf_freq;   /* its ticks per second */
    uint64_t time_100ns;  /* the system's time */
};

enum counter_figure_state {
    COUNTER_FIGURE,       /* there is one */
    COUNTER_NO_FIGURE,    /* the type has none: bases, text */
    COUNTER_NEEDS_SECOND, /* of two samples only one is there */
    COUNTER_NO_CHANGE,    /* a divisor is 0, or something went backwards */
};

/* A figure. Counts are exact, of 64 bits; all others are as near as a double
 * is. */
struct counter_figure {
    bool is_count;
    uint64_t count; /* where it is one */
    double number;  /* else */
};

/* Makes the figure of `second`, and of `first` before it where the type needs
 * two (NULL: there is none yet). *figure is written only for COUNTER_FIGURE. A
 * percentage is what the formula gives, also above 100 and below 0 [C]. */
enum counter_figure_state counter_format(enum counter_type type,
    const struct counter_sample *first, const struct counter_sample *second,
    struct counter_figure *figure);

enum { COUNTER_FORMULA_BYTES = 120 };

/* The formula in words, of counters by their references in a manifest and of
 * the performance counter's ticks; "" where there is no figure. */
void counter_formula(enum counter_type type, char *text, size_t size);

/* What a figure is in: "/s", "%", "s" or "". */
const char *counter_unit(enum counter_type type);

/* Fills in the sample's times, of a machine at its nominal frequency, `mhz`:
 * of the performance counter (QPC-03 [C]), whose ticks have the 100 ns of the
 * system's clock. */
void counter_clock_read(
    uint64_t mhz, uint64_t cycles, struct counter_sample *sample);

#endif
