/* bench_counters.c - the family counters: what ntpmu counters prints. */
#include <assert.h>
#include <stdio.h>
#include <talloc.h>

#include "scenarios/runner/commands/counters/counter_lines.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

enum { LINES = 20000, INSTANCES = 10000 };

/* Every other line is the second sample of an instance. */
static struct counter_lines *make_lines(void)
{
    struct counter_lines *lines = talloc_zero(NULL, struct counter_lines);

    assert(lines != NULL);
    lines->item = talloc_zero_array(lines, struct counter_line, LINES);
    assert(lines->item != NULL);
    for (; lines->count < LINES; lines->count++) {
        size_t i = lines->count;

        lines->item[i] = (struct counter_line){
            .time_ns = 1000000 * (i / INSTANCES),
            .set = "Geometric Waves",
            .instance = talloc_asprintf(lines, "Instance %zu", i % INSTANCES),
            .instance_id = (uint32_t)(i % INSTANCES),
            .name = "Triangle Wave",
            .value = i,
            .figure = "12345.678901",
        };
    }
    return lines;
}

static double print(void (*print_lines)(const struct counter_lines *, FILE *))
{
    struct counter_lines *lines = make_lines();
    FILE *out = fopen("/dev/null", "w");
    double start = stopwatch_ns(), ns;

    assert(out != NULL);
    print_lines(lines, out);
    fflush(out);
    ns = stopwatch_ns() - start;
    fclose(out);
    talloc_free(lines);
    return ns;
}

double counters_table(void)
{
    return print(counter_lines_print_table);
}

double counters_csv(void)
{
    return print(counter_lines_print_csv);
}
