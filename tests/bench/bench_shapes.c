/* bench_shapes.c - files of up to 1 MiB that could be much work: how long it
 * takes until they are read or refused (shapes.def), at three sizes. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/runner_scene.h"
#include "tests/bench/stopwatch.h"

#define SHAPE_STEP                                                             \
    "steps:\n  - {call: KeGetCurrentIrql, expect: {returns: 0, covers: "       \
    "[IRQL-GEN-01]}}\n"

/* Of 1,000 instances. */
#define SHAPE_AXIS "matrix: {v: [$1000]}\n"

enum { SHAPE_AXIS_VALUES = 1000, KIB = 1024 };

struct shape {
    const char *head, *item, *tail;
};

#define SHAPE(name, head, item, tail)                                          \
    static const struct shape shape_##name = {head, item, tail};
#include "tests/bench/shapes.def"

/* The head, with the values of an axis for their number. */
static void put_head(const char *head, FILE *out)
{
    const char *values = strstr(head, "$1000");

    fputs("ntpmu: 1\nid: bench.shape\ntitle: Bench\n", out);
    if (values == NULL) {
        fputs(head, out);
        return;
    }
    fwrite(head, 1, (size_t)(values - head), out);
    for (int i = 0; i < SHAPE_AXIS_VALUES; i++) {
        fprintf(out, "%s%d", i == 0 ? "" : ", ", i);
    }
    fputs(values + strlen("$1000"), out);
}

static void put_item(const char *item, int n, FILE *out)
{
    const char *number = strstr(item, "%d");

    if (number == NULL) {
        fputs(item, out);
        return;
    }
    fprintf(out, "%.*s%d%s", (int)(number - item), item, n, number + 2);
}

static char *make(void *context, const struct shape *shape, size_t bytes)
{
    char *text = NULL, *copy;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert(out != NULL);
    put_head(shape->head, out);
    for (int i = 0; (size_t)ftello(out) + strlen(shape->tail) + 80 < bytes;
         i++) {
        put_item(shape->item, i, out);
    }
    fputs(shape->tail, out);
    fclose(out);
    copy = talloc_strdup(context, text);
    assert(copy != NULL && strlen(copy) <= bytes);
    free(text);
    return copy;
}

static double read_shape(const struct shape *shape, size_t kib)
{
    void *memory = talloc_new(NULL);
    char *text = make(memory, shape, kib * KIB);
    char *path =
        talloc_strdup(memory, runner_scene_file(memory, text, strlen(text)));
    FILE *out = fopen("/dev/null", "w");
    double start = stopwatch_ns(), ns;
    const struct suite *suite = suite_read(memory, &language_kinds, &path, 1);

    assert(out != NULL);
    diagnostics_print(suite->diagnostics, out);
    ns = stopwatch_ns() - start;
    fclose(out);
    talloc_free(memory);
    return ns;
}

#define SHAPE(name, ...)                                                       \
    double shape_##name##_256(void)                                            \
    {                                                                          \
        return read_shape(&shape_##name, 256);                                 \
    }                                                                          \
    double shape_##name##_512(void)                                            \
    {                                                                          \
        return read_shape(&shape_##name, 512);                                 \
    }                                                                          \
    double shape_##name##_1024(void)                                           \
    {                                                                          \
        return read_shape(&shape_##name, 1024);                                \
    }
#include "tests/bench/shapes.def"
