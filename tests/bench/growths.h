/* growths.h - the rows of growths.def. */
#ifndef TESTS_BENCH_GROWTHS_H
#define TESTS_BENCH_GROWTHS_H

#include "tests/bench/frame/growth.h"

#define GROWTH(name, cost, ...) growth_function cost;
#include "tests/bench/growths.def"
#undef GROWTH

#endif
