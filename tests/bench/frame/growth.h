/* growth.h - how a cost grows with the size of something: as that does, or not
 * at all. */
#ifndef TESTS_BENCH_FRAME_GROWTH_H
#define TESTS_BENCH_FRAME_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

struct bench;

enum { GROWTH_SIZES = 3 };

/* LINEAR: the cost of all of them; FLAT: that of one operation among them,
 * which is not to depend on how many there are. */
enum growth_kind { GROWTH_LINEAR, GROWTH_FLAT };

/* Nanoseconds of processor time. Of none, size 0, it is what a LINEAR one takes
 * to start. */
typedef double growth_function(uint64_t size);

struct growth {
    const char *name;
    growth_function *cost;
    uint64_t size[GROWTH_SIZES]; /* ascending */
    enum growth_kind kind;
    const char *what;
};

/* Times are those where the fixed work takes FIXED_WORK_NS. */
struct growth_result {
    const struct growth *of;
    double ns[GROWTH_SIZES]; /* less the start */
    double start_ns;
    double exponent; /* of the size, from the smallest to the largest; HUGE_VAL
                        where one took no longer than the start */
};

/* Medians of alternating rounds, fewer of them when they take long. */
struct growth_result growth_run(
    const struct bench *bench, const struct growth *growth);

/* The most that the exponent may be. */
double growth_most(const struct growth *growth);
bool growth_fails(const struct growth_result *result);

#endif
