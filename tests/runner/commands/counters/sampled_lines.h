/* sampled_lines.h - lines of samples that a test makes up, and what is printed
 * of them. */
#ifndef TESTS_RUNNER_COMMANDS_COUNTERS_SAMPLED_LINES_H
#define TESTS_RUNNER_COMMANDS_COUNTERS_SAMPLED_LINES_H

#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "scenarios/runner/commands/counters/counter_lines.h"

/* One per sample of "Waves", instance "sea" or another; figure NULL: none. */
static inline struct counter_line sampled_line(
    size_t sample, const char *instance, uint32_t counter, const char *figure)
{
    return (struct counter_line){.sample = sample,
        .time_ns = (sample + 1) * 500000,
        .set = "Waves",
        .instance = instance,
        .single = instance[0] == '\0',
        .counter_id = counter,
        .name = counter == 0 ? "Height" : NULL,
        .figure = figure};
}

/* What `print` writes, child of `context`. */
static inline char *sampled_text(void *context,
    const struct counter_lines *lines,
    void (*print)(const struct counter_lines *lines, FILE *out))
{
    char *bytes, *text;
    size_t length;
    FILE *out = open_memstream(&bytes, &length);

    print(lines, out);
    fclose(out);
    text = talloc_strdup(context, bytes);
    free(bytes);
    return text;
}

#endif
