/* options.h - the command line, read; and the commands, each of which is told
 * it. */
#ifndef RUNNER_COMMAND_LINE_OPTIONS_H
#define RUNNER_COMMAND_LINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scenarios/runner/command_line/drive_request.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/scenario/exploring.h"

enum command {
#define COMMAND(name, ...) COMMAND_##name,
#include "scenarios/runner/command_line/options.def"
    COMMAND_COUNT,
    COMMAND_NONE = COMMAND_COUNT, /* none was named, only --help */
};

enum { OPTIONS_LISTED = 256 }; /* values of one option that may be repeated */

/* In the order in which they were named; each is a word of argv. */
struct option_list {
    const char *item[OPTIONS_LISTED];
    size_t count;
};

enum format {
    FORMAT_TEXT,
    FORMAT_CTEST,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_TYPEPERF,
};

enum plot_kind { PLOT_NONE, PLOT_SVG, PLOT_HTML };

enum run_order { ORDER_LISTED, ORDER_REVERSE, ORDER_RANDOM, ORDER_SMART };

struct options {
    enum command command;
    const char *const *argv; /* the command line as it was given; main.c's */
    int argc;
    char **path; /* in argv, moved to its front */
    size_t path_count;
    struct option_list id;    /* none: all */
    const char *expression;   /* the inside of $( ); NULL: all */
    struct option_list given; /* NAME=VALUE */
    struct option_list xfail; /* files */
    uint32_t statuses;        /* bits by enum result; 0: all */
    uint32_t shard, shards;   /* shard counts from 1; shards 0: no parts */
    enum run_order order;
    uint64_t seed; /* of ORDER_RANDOM */
    struct exploring_words exploring;
    const char *schedule; /* of replay; NULL: none was given */
    bool fail_each;
    const char *fail_log; /* NULL: none */
    uint32_t fail_max;    /* 0: all */
    struct option_list fail, fail_scope;
    uint32_t jobs;   /* at least 1 */
    uint32_t repeat; /* at least 1 */
    bool twice;
    bool fail_fast;
    bool watch;
    bool step;
    bool update;
    struct option_list report;  /* KIND=FILE */
    const char *trace;          /* NULL: none */
    const char *results;        /* for merge; NULL: nobody wants them */
    unsigned long long budget;  /* preemption points of one instance */
    uint64_t timeout_us;        /* processor time of one with native code */
    struct option_list allowed; /* images and directories */
    bool strict_imports;        /* images import nothing that is not modelled */
    const char *os, *cpus;      /* of an image's machine; NULL: the usual */
    bool os_all;                /* of drive: all versions, one after another */
    bool verifier;              /* of drive: its findings are failures */
    bool gdb;                   /* of drive: a debugger is waited for */
    struct option_list asked;   /* of drive: --ioctl, --read, --write */
    enum drive_request_kind asked_kind[OPTIONS_LISTED]; /* of each of them */
    const char *model;      /* of drive: NULL: the usual */
    struct option_list msr; /* of that machine: ADDRESS=VALUE[,stored] */
    uint64_t every_us;      /* of counters: from one sample to the next */
    uint32_t samples;       /* of counters: the most; 0: none was given */
    struct option_list counterset, manifest; /* of counters: names, files */
    struct option_list instance;             /* of counters: masks of names */
    bool all;                                /* of counters: hidden ones, too */
    const char *plot;         /* of counters: a chart's file; NULL: none */
    enum plot_kind plot_kind; /* what is in it */
    bool live;                /* of counters: a line a counter */
    bool allow_widths;   /* of counters: those that differ are no failure */
    enum format format;  /* one that the command has */
    unsigned min_req;    /* thousandths that have to be tested */
    unsigned min_proven; /* of documents and headers, that have to be proven */
    bool documented;     /* only what Microsoft says is asked */
    bool check;          /* of fmt: only look */
    bool dropped;        /* of list: those that requires leaves out */
    const char *title;   /* of new; NULL: one of its own */
    const char *call;    /* of new; NULL: the example */
    const char *output;  /* a new file; NULL: standard output */
    bool verbose;
    bool help;
};

/* Reads the command line, and moves words in argv. False after saying what is
 * wrong on `errors`. */
bool options_read(struct options *options, int argc, char **argv, FILE *errors);

/* The words of the command line that parts of one run have in common: the
 * program's name, the command, paths, and the options that are not about a part
 * or about what is said of it. Returns how many; `word` has room for all. */
size_t options_common_words(const struct options *options, const char **word);

/* Of one command, or of all with COMMAND_NONE. `own` writes the help of options
 * that the command reads by itself; NULL: it has none of these. */
void options_help(enum command command, void (*own)(FILE *out), FILE *out);

/* What the program can be told to do, each in a file command_NAME.c of a folder
 * of its own. Returns what to exit with. */
#define COMMAND(name, command, ...)                                            \
    enum exit_code command_##command(const struct options *options);
#include "scenarios/runner/command_line/options.def"

#endif
