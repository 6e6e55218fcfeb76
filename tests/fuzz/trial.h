/* trial.h - a file as a driver's image, loaded and run by itself in a process
 * with the sandbox of scenarios, and how that ended. */
#ifndef TESTS_FUZZ_TRIAL_H
#define TESTS_FUZZ_TRIAL_H

#include <stddef.h>
#include <stdint.h>

#include "api/core/kernel.h"

enum trial_end {
    TRIAL_NONE,       /* no report: it crashed, which is our fault */
    TRIAL_REFUSED,    /* the image cannot be loaded */
    TRIAL_ENDED,      /* its routines returned, whatever they said */
    TRIAL_STOPPED,    /* it broke a fatal rule */
    TRIAL_UNMODELLED, /* it needs what the machine does not have */
    TRIAL_TIMEOUT,    /* it took too long, by the host or by the machine */
    TRIAL_DEADLOCK,   /* it waits for what does not come */
    TRIAL_ENDS
};

enum { TRIAL_TEXT_BYTES = 400 };

struct trial_report {
    enum trial_end end;
    char text[TRIAL_TEXT_BYTES]; /* for people */
};

struct trial {
    struct machine machine;
    struct kernel kernel; /* booted; each process has a copy of its own */
    struct trial_report *report; /* shared with those processes */
};

extern const char *const trial_end_names[TRIAL_ENDS];

/* Makes a machine and boots it. Returns false when the host refuses. */
bool trial_open(struct trial *trial);
void trial_close(struct trial *trial);

/* Whether it can be loaded, without running it; if not, the report says why. */
bool trial_can_load(struct trial *trial, const uint8_t *bytes, size_t size);

/* Runs the image in a process of its own; trial->report has what came of it. */
void trial_run(struct trial *trial, const uint8_t *bytes, size_t size);

#endif
