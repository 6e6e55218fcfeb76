/* schedule_text.h - a schedule as a word that can be copied: where it differs
 * from the usual one. "v1:12.1-30.0/64": of 64 choices the one with number 12
 * lets processor 1 go on and that with number 30 processor 0; all others are as
 * usual. "v1:/64" is the usual schedule. "clock" in place of a processor lets
 * the next alarm come first, and "later" keeps a PMI. "v1:12.1/30+" is of a run
 * that broke off behind 30 choices. */
#ifndef RUNNER_EXPLORE_SCHEDULE_TEXT_H
#define RUNNER_EXPLORE_SCHEDULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At this choice, counted from 0, not the usual candidate goes on. */
struct deviation {
    uint32_t choice;
    uint32_t processor; /* or of SCHEDULE_... */
};

struct deviations {
    struct deviation *item; /* by choice */
    size_t count;
    uint32_t choices; /* of the whole run */
    bool broken_off;  /* there would have been more of them */
};

/* Writes one in room of the caller's, and allocates nothing. */
struct schedule_writer {
    char *text;
    size_t room;
    size_t length; /* that it takes, whether or not there is room */
    bool begun;
};

/* By ascending choice. */
void schedule_write(struct schedule_writer *writer, struct deviation deviation);

/* Returns whether there was room for it; else the text is empty. */
bool schedule_write_end(
    struct schedule_writer *writer, uint32_t choices, bool broken_off);

/* Child of `context`. */
char *schedule_text(void *context, const struct deviations *deviations);

/* Reads one; its list is a child of `context`. NULL on success, else what is
 * wrong. */
const char *schedule_text_read(
    void *context, const char *text, struct deviations *deviations);

#endif
