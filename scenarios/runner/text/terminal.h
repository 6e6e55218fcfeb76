/* terminal.h - what only a terminal gets: colours, and a line of progress that
 * is written over. */
#ifndef RUNNER_TEXT_TERMINAL_H
#define RUNNER_TEXT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum terminal_colour { TERMINAL_GOOD, TERMINAL_BAD, TERMINAL_NEUTRAL };

/* What makes the following text so, and what ends that: "" where `out` is no
 * terminal, TERM is dumb or not set, or NO_COLOR is set. */
const char *terminal_colour(FILE *out, enum terminal_colour colour);
const char *terminal_plain(FILE *out);

struct terminal_progress {
    FILE *out;
    bool live;  /* out is a terminal that can go back in a line */
    bool shown; /* the line is there */
};

struct terminal_progress terminal_progress_on(FILE *out);

/* Shows that number `at` of `all`, which is `id`, is on its way. `more` is what
 * else is to be said, before the id; "": nothing. */
void terminal_progress_show(struct terminal_progress *progress, size_t at,
    size_t all, size_t failed, const char *more, const char *id);

/* Takes the line away, before something else is printed. */
void terminal_progress_clear(struct terminal_progress *progress);

#endif
