/* page.h - the tables of docs/performance.md, made of a stored run.
 *
 * In the page `<!-- figures PREFIX... -->` stands before the table of the
 * benchmarks whose names begin with one of these, `<!-- growth -->` before that
 * of growths, and `<!-- end -->` behind each. */
#ifndef TESTS_BENCH_FRAME_PAGE_H
#define TESTS_BENCH_FRAME_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "tests/bench/frame/benchmark.h"

/* Prints the page with the tables of run[0], figures, and run[1], growths. A
 * row that was not stored is there without a figure. False, and `err` is told,
 * when a file cannot be used, or when a benchmark has no place in the page. */
bool page_print(const struct bench *bench, const char *page,
    const char *const run[2], FILE *out, FILE *err);

#endif
