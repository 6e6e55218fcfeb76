/* option_reading.h - what the readers of several options do. */
#ifndef RUNNER_COMMAND_LINE_OPTION_READING_H
#define RUNNER_COMMAND_LINE_OPTION_READING_H

#include "scenarios/runner/command_line/options.h"

/* Says what is wrong with which word; false. */
bool option_fail(FILE *errors, const char *what, const char *which);

struct suggestion;

/* The same of a word that is none of those that were offered, and which of them
 * is near. */
bool option_fail_near(
    FILE *errors, const char *what, const struct suggestion *suggestion);

/* The same; where none is near, all are named. `name` gives each by its index,
 * and NULL behind the last. */
bool option_fail_listed(FILE *errors, const char *what,
    const struct suggestion *suggestion, const char *(*name)(size_t index));

/* False after saying `too_many` when the list is full. */
bool option_append(struct option_list *list, const char *value,
    const char *too_many, FILE *errors);

/* A decimal number from 1 to `most`; *end is what follows it. 0: there is none.
 */
uint32_t option_read_count(const char *text, uint32_t most, const char **end);

/* A number with up to `places` decimals, as units of the last of them. False
 * when it is none, or is above `most`. */
bool option_read_decimal(
    const char *text, unsigned places, uint64_t most, uint64_t *units);

#endif
