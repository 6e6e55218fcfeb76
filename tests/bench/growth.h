/* growth.h - how the cost of running grows with what there is to run. */
#ifndef TESTS_BENCH_GROWTH_H
#define TESTS_BENCH_GROWTH_H

/* Prints a table: one size after the other grows, all others stay. */
void growth_print(void);

#endif
