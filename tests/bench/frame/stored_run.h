/* stored_run.h - figures in a file: a JSON list of {name, value, unit, judged,
 * bar, ratio, to}, and one of growths, {name, sizes, ns, start_ns, exponent,
 * most}. What cannot be used of a file is said in one line: where, what, and
 * what to do. */
#ifndef TESTS_BENCH_FRAME_STORED_RUN_H
#define TESTS_BENCH_FRAME_STORED_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "tests/bench/frame/benchmark.h"

/* A new list, for the two below and run_write; the caller releases it. */
json_t *run_new(void);
void run_add(json_t *run, const struct benchmark_result *result);
void run_add_growth(json_t *run, const struct growth_result *result);

/* False when it cannot be written, which `err` is told. */
bool run_write(const json_t *run, const char *path, FILE *err);

/* The figures that were stored, each of which must be of a row of the table.
 * NULL, and `err` is told, when they cannot be used. The caller releases it. */
json_t *run_read(const struct bench *bench, const char *path, FILE *err);
json_t *run_read_growth(const struct bench *bench, const char *path, FILE *err);

/* What was stored of that name; NULL: nothing. */
const json_t *run_find(const json_t *run, const char *name);

#endif
