/* bench.c - `bench FILE [FAMILY]`: runs all benchmarks, or those whose name
 * begins so, prints them as a table and writes them to FILE as a JSON list of
 * {name, value, unit, ratio, to}. With all of them it also prints how the cost
 * of the machine grows. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/benchmarks.h"
#include "tests/bench/growth.h"

enum { DIGITS = 4 };

static void print_heading(void)
{
    printf(
        "%-28s %10s %-5s %6s %10s to\n", "name", "value", "", "bar", "ratio");
}

static void print_result(const struct benchmark_result *result)
{
    const struct benchmark *of = result->of;

    printf("%-28s %10.*g %-5s %6g %10.*g %s%s\n", of->name, DIGITS,
        result->value, benchmark_units[of->unit], of->bar, DIGITS,
        result->ratio, of->to,
        benchmark_misses(result) ? "  (misses the bar)" : "");
    fflush(stdout);
}

/* Adds the result to the list; false: there is no memory. */
static bool append(json_t *list, const struct benchmark_result *result)
{
    const struct benchmark *of = result->of;
    json_t *row = json_pack("{s:s, s:f, s:s, s:f, s:s}", "name", of->name,
        "value", result->value, "unit", benchmark_units[of->unit], "ratio",
        result->ratio, "to", of->to);

    return json_array_append_new(list, row) == 0;
}

static bool run_all(json_t *list, const char *family)
{
    print_heading();
    for (unsigned i = 0; i < BENCHMARK_COUNT; i++) {
        struct benchmark_result result;

        if (strncmp(benchmarks[i].name, family, strlen(family)) != 0) {
            continue;
        }
        result = benchmark_run(&benchmarks[i]);
        print_result(&result);
        if (!append(list, &result)) {
            fprintf(stderr, "bench: no memory left\n");
            return false;
        }
    }
    if (json_array_size(list) == 0) {
        fprintf(stderr, "bench: no benchmark's name begins with %s\n", family);
    }
    return json_array_size(list) > 0;
}

int main(int argc, char **argv)
{
    json_t *list = json_array();
    int status = 1;

    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: bench FILE [FAMILY]\n");
        status = 2;
    } else if (run_all(list, argc == 3 ? argv[2] : "")) {
        if (json_dump_file(list, argv[1],
                JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) == 0) {
            status = 0;
            if (argc == 2) {
                growth_print();
            }
        } else {
            fprintf(stderr, "bench: cannot write %s\n", argv[1]);
        }
    }
    json_decref(list);
    return status;
}
