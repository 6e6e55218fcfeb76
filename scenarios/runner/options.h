/* options.h - the command line, read. */
#ifndef RUNNER_OPTIONS_H
#define RUNNER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum command {
#define COMMAND(name, ...) COMMAND_##name,
#include "scenarios/runner/options.def"
    COMMAND_COUNT
};

enum { OPTIONS_ALLOWED = 256, OPTIONS_REPORTS = 16 };

enum list_format { FORMAT_TEXT, FORMAT_CTEST, FORMAT_JSON };

struct options {
    enum command command;
    char **path; /* in argv, moved to its front */
    size_t path_count;
    const char *id;    /* NULL: all */
    const char *trace; /* NULL: none */
    bool reverse;
    unsigned long long budget; /* preemption points of one instance */
    uint64_t timeout_us;       /* processor time of one with native code */
    const char *allowed[OPTIONS_ALLOWED]; /* images and directories */
    size_t allowed_count;
    const char *report[OPTIONS_REPORTS]; /* KIND=FILE */
    size_t report_count;
    const char *os, *cpus; /* of the machine of drive; NULL: the usual */
    enum list_format format;
    bool check;         /* of fmt: only look */
    bool dropped;       /* of list */
    const char *title;  /* of new; NULL: one of its own */
    const char *call;   /* of new; NULL: the example */
    const char *output; /* NULL: standard output */
    bool verbose;
    bool help;
};

/* Reads the command line. False after saying what is wrong on `errors`. */
bool options_read(struct options *options, int argc, char **argv, FILE *errors);

void options_help(FILE *out);

#endif
