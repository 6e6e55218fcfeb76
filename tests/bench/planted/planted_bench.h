/* planted_bench.h - a program of benchmarks whose figures are made up: what is
 * said of them is known, whatever the host does meanwhile. */
#ifndef TESTS_BENCH_PLANTED_PLANTED_BENCH_H
#define TESTS_BENCH_PLANTED_PLANTED_BENCH_H

#include <stddef.h>

#include "tests/bench/frame/benchmark.h"

enum { PLANTED_ARGUMENTS = 8, PLANTED_TEXT = 4096 };

/* What a call came to. Files are in a directory that is made for the call, and
 * an argument that begins with @ is one of them. */
struct planted_run {
    int status;
    char out[PLANTED_TEXT], err[PLANTED_TEXT]; /* with @ for the directory */
    char written[PLANTED_TEXT]; /* the file @out; "": there is none */
};

/* Calls the program with these arguments, up to a NULL. @in has the text `in`,
 * @in2 has `in2`, and @in3 `in3`, where they are not NULL. */
void planted_call(struct planted_run *run, const struct bench *bench,
    const char *const *arguments, const char *in, const char *in2,
    const char *in3);

#endif
