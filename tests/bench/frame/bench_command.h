/* bench_command.h - the program of benchmarks, whatever its tables are:
 *
 *     bench [--against FILE] [--tolerance PERCENT] OUT [FAMILY]
 *     bench --growth OUT [NAME]
 *     bench --page PAGE FIGURES GROWTH
 *
 * runs those whose names begin with FAMILY, or all, prints them and writes them
 * to OUT; the last prints PAGE with the tables of these files. */
#ifndef TESTS_BENCH_FRAME_BENCH_COMMAND_H
#define TESTS_BENCH_FRAME_BENCH_COMMAND_H

#include <stdio.h>

#include "tests/bench/frame/benchmark.h"

enum {
    BENCH_MET = 0,
    BENCH_MISSED = 1,   /* a bar, or it has become slower, or grows too fast */
    BENCH_UNUSABLE = 2, /* a call or a file that is wrong: nothing was run, or
                           nothing could be written */
    BENCH_TOLERANCE_PERCENT = 15,
};

/* The exit code. */
int bench_command(
    const struct bench *bench, int argc, char **argv, FILE *out, FILE *err);

#endif
