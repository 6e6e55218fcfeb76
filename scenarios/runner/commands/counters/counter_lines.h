/* counter_lines.h - samples as the lines that ntpmu counters shows: one for
 * each time, counter set, instance and counter. */
#ifndef RUNNER_COMMANDS_COUNTERS_COUNTER_LINES_H
#define RUNNER_COMMANDS_COUNTERS_COUNTER_LINES_H

#include "api/ctrpp/manifest.h"
#include "scenarios/runner/commands/counters/counter_notes.h"
#include "scenarios/runner/commands/counters/described_sets.h"
#include "scenarios/runner/run/samples.h"

struct counter_line {
    size_t sample;    /* of which it is: index */
    uint64_t time_ns; /* at which the collection began, also for figures */
    const char *set, *instance; /* instance_names.h */
    bool single;                /* the set has one instance, without a name */
    uint32_t instance_id, counter_id;
    const struct manifest_counter *counter; /* NULL: nothing describes it */
    const char *name;                       /* NULL: it has none */
    uint64_t value;
    const char *figure; /* NULL: none, or none yet */
};

struct counter_lines {
    struct counter_line *item;
    size_t count;
    size_t hidden; /* lines that are not there because nobody asked for all */
    bool *met;     /* by number of the masks: some instance was meant by it */
    bool widths;   /* one was registered with other bytes than its type has */
    struct counter_notes *notes; /* what is wrong with counters */
};

/* How they are made. */
struct counter_lines_way {
    uint64_t mhz; /* of the machine, for figures */
    bool all;     /* bases as well, and what is not for display */
    bool masked;  /* no consumer is given counters from 64 on (PCW-TYPE-06b) */
    const char *const *mask; /* of the instances to show (instance_path.h) */
    size_t mask_count;       /* 0: all are shown */
};

/* The time of a number of cycles below 2^62. */
uint64_t counter_time_ns(uint64_t cycles, uint64_t mhz);

/* Makes them. Children of `context`, with pointers into the samples and
 * manifests. */
struct counter_lines *counter_lines_make(void *context,
    const struct samples *samples, struct counter_manifests *manifests,
    const struct counter_lines_way *way);

/* The name, or the id where there is none; child of `context`. */
const char *counter_line_name(void *context, const struct counter_line *line);

/* What its figures are in, also where there is none yet; "" where nothing
 * describes the counter, or they are numbers of nothing. */
const char *counter_line_unit(const struct counter_line *line);

/* Whether the figure is a count that people want in hexadecimal: the type says
 * so, or displayAsHex does. */
bool counter_line_is_hex(const struct counter_line *line);

/* The figure as people see it, with its unit; "" where there is none. Child of
 * `context`. */
const char *counter_line_figure(void *context, const struct counter_line *line);

void counter_lines_print_table(const struct counter_lines *lines, FILE *out);
void counter_lines_print_csv(const struct counter_lines *lines, FILE *out);
void counter_lines_print_json(const struct counter_lines *lines, FILE *out);
void counter_lines_print_typeperf(const struct counter_lines *lines, FILE *out);

#endif
