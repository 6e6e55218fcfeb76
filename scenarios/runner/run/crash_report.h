/* crash_report.h - our own failures: an assertion or a fault in the program. In
 * the process that the user has started it names the instance that ran, and
 * exits as documented; one that somebody waits for leaves a note. */
#ifndef RUNNER_RUN_CRASH_REPORT_H
#define RUNNER_RUN_CRASH_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CRASH_STEP_BYTES = 64,
    CRASH_TEXT_BYTES = 512,
    CRASH_SCHEDULE_BYTES = 60 * 1024,
};

/* What is known of the failure of another process, which shares it. Of what a
 * driver's code has run in nothing is believed: texts end where they end. */
struct crash_note {
    char step[CRASH_STEP_BYTES]; /* that ran, or the last one; "": none */
    char text[CRASH_TEXT_BYTES]; /* what failed, and where; "": nobody said */
    bool native;                 /* a driver's machine code had run */
    /* Of an exploration: the schedule that ran, as replay takes it; "": that of
     * ntpmu run, or one that is too long. How many were tried, with it. */
    char schedule[CRASH_SCHEDULE_BYTES];
    uint64_t schedules;
};

/* Pages of its own; NULL: the host gives none. */
struct crash_note *crash_note_new(void);
void crash_note_free(struct crash_note *note);

/* Nothing is known. */
void crash_note_clear(struct crash_note *note);

/* What it comes to, for people; child of `context`. `how`: what is known
 * without it. */
const char *crash_note_text(
    void *context, const struct crash_note *note, const char *how);

/* The step, as long as the context lives; "" where none is known. The schedule
 * likewise. */
const char *crash_note_step(void *context, const struct crash_note *note);
const char *crash_note_schedule(void *context, const struct crash_note *note);

/* From now on such a failure exits with `code`. */
void crash_report_install(int code);

/* In a process that was forked: such a failure goes to the note, and ends the
 * process by its signal. */
void crash_report_to(struct crash_note *note);

/* Who tells the note in which schedule it happened: called in a signal's
 * handler. NULL: nobody, as in each process that is forked. */
void crash_report_ask(
    void (*tell)(void *context, struct crash_note *note), void *context);

/* No more: such a failure ends the process, and whoever waits for it says so.
 */
void crash_report_remove(void);

/* What runs now; NULL: nothing. The text must live as long as it runs. */
void crash_report_running(const char *id);

/* The step of it that is run or looked at, and how many were so far. */
void crash_report_step(const char *number);
uint64_t crash_report_steps(void);

/* Such a failure, which the text tells; also from a signal's handler. */
_Noreturn void crash_report_fail(const char *text);

#endif
