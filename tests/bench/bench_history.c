/* bench_history.c - the family runner: the last results kept. */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/selection/history.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

enum { MANY = 100000, FEW = 100, UPDATES = 200 };

static void update(const char *path, size_t first, size_t count)
{
    struct history *results = history_new(NULL);
    const char *problem;

    for (size_t i = first; i < first + count; i++) {
        history_add(results,
            talloc_asprintf(results, "bench.overflow[row=%zu]", i),
            RESULT_PASS);
    }
    if (!history_update(path, results, &problem)) {
        assert(false && "the results cannot be kept");
    }
    talloc_free(results);
}

/* A run of one instance, after one of so many. */
static double update_among(size_t count)
{
    char directory[] = "/tmp/ntpmu_bench_XXXXXX";
    char *made = mkdtemp(directory);
    char *path = talloc_asprintf(NULL, "%s/results", directory);
    double start, ns;

    assert(made != NULL && path != NULL);
    (void)made;
    update(path, 0, count);
    start = stopwatch_ns();
    for (size_t i = 0; i < UPDATES; i++) {
        update(path, i % count, 1);
    }
    ns = (stopwatch_ns() - start) / UPDATES;
    unlink(path);
    rmdir(directory);
    talloc_free(path);
    return ns;
}

double runner_history_among_100000(void)
{
    return update_among(MANY);
}

double runner_history_among_100(void)
{
    return update_among(FEW);
}
