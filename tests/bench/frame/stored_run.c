/* stored_run.c - figures written as JSON and read again. */
#include "tests/bench/frame/stored_run.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { DIGITS = 4 };

static void append(json_t *run, json_t *row)
{
    int status = json_array_append_new(run, row);

    assert(status == 0); /* no memory */
    (void)status;
}

json_t *run_new(void)
{
    json_t *run = json_array();

    assert(run != NULL);
    return run;
}

void run_add(json_t *run, const struct benchmark_result *result)
{
    const struct benchmark *of = result->of;

    append(run, json_pack("{s:s, s:f, s:s, s:f, s:f, s:f, s:s}", "name",
                    of->name, "value", result->value, "unit",
                    benchmark_units[of->unit], "judged", result->judged, "bar",
                    of->bar, "ratio", result->ratio, "to", of->to));
}

/* A growth without an exponent has none in the file. */
void run_add_growth(json_t *run, const struct growth_result *result)
{
    const struct growth *of = result->of;
    json_t *sizes = run_new(), *ns = run_new();

    for (unsigned i = 0; i < GROWTH_SIZES; i++) {
        append(sizes, json_integer((json_int_t)of->size[i]));
        append(ns, json_real(result->ns[i]));
    }
    append(run,
        json_pack("{s:s, s:o, s:o, s:f, s:o, s:f}", "name", of->name, "sizes",
            sizes, "ns", ns, "start_ns", result->start_ns, "exponent",
            isfinite(result->exponent) ? json_real(result->exponent)
                                       : json_null(),
            "most", growth_most(of)));
}

bool run_write(const json_t *run, const char *path, FILE *err)
{
    if (json_dump_file(
            run, path, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) == 0) {
        return true;
    }
    fprintf(err, "bench: cannot write %s\n", path);
    return false;
}

const json_t *run_find(const json_t *run, const char *name)
{
    size_t i;
    const json_t *row;

    json_array_foreach(run, i, row)
    {
        const char *stored = json_string_value(json_object_get(row, "name"));

        if (stored != NULL && strcmp(stored, name) == 0) {
            return row;
        }
    }
    return NULL;
}

static bool is_benchmark(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->count; i++) {
        if (strcmp(bench->benchmark[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_growth(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->growth_count; i++) {
        if (strcmp(bench->growth[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_positive(const json_t *value)
{
    return json_is_number(value) && json_number_value(value) > 0;
}

/* What is wrong with the row of a benchmark; NULL: nothing. */
static const char *figure_problem(const json_t *row)
{
    if (!is_positive(json_object_get(row, "judged")) ||
        !is_positive(json_object_get(row, "ratio"))) {
        return "has no 'judged' and 'ratio' above 0";
    }
    return NULL;
}

static const char *growth_problem(const json_t *row)
{
    const json_t *ns = json_object_get(row, "ns");
    const json_t *exponent = json_object_get(row, "exponent");

    if (json_array_size(ns) != GROWTH_SIZES ||
        !is_positive(json_array_get(ns, GROWTH_SIZES - 1)) ||
        !(json_is_number(exponent) || json_is_null(exponent))) {
        return "has no 'ns' of three sizes and 'exponent'";
    }
    return NULL;
}

/* What a file is read as. */
struct reader {
    const struct bench *bench;
    const char *path, *kind, *call; /* of tools/bench, which writes such one */
    bool (*known)(const struct bench *bench, const char *name);
    const char *(*problem)(const json_t *row);
};

static bool check_row(
    const struct reader *reader, const json_t *run, size_t number, FILE *err)
{
    const json_t *row = json_array_get(run, number);
    const char *name = json_string_value(json_object_get(row, "name"));
    const char *problem = NULL;

    if (name == NULL) {
        fprintf(err, "bench: %s: entry %zu has no name: store a run with %s\n",
            reader->path, number + 1, reader->call);
    } else if (!reader->known(reader->bench, name)) {
        fprintf(err,
            "bench: %s: entry %zu: there is no %s '%s': take it out, or store "
            "a run with %s\n",
            reader->path, number + 1, reader->kind, name, reader->call);
    } else if (run_find(run, name) != row) {
        fprintf(err,
            "bench: %s: entry %zu: '%s' stands there twice: take one out\n",
            reader->path, number + 1, name);
    } else if ((problem = reader->problem(row)) != NULL) {
        fprintf(err, "bench: %s: entry %zu: '%s' %s: store a run with %s\n",
            reader->path, number + 1, name, problem, reader->call);
    } else {
        return true;
    }
    return false;
}

static json_t *read_list(const struct reader *reader, FILE *err)
{
    json_error_t error;
    json_t *run = json_load_file(reader->path, JSON_REJECT_DUPLICATES, &error);

    if (run == NULL && error.line < 0) {
        fprintf(err, "bench: %s: cannot be read: store a run with %s\n",
            reader->path, reader->call);
        return NULL;
    }
    if (run == NULL) {
        fprintf(err, "bench: %s:%d:%d: no JSON: %s: store a run with %s\n",
            reader->path, error.line, error.column, error.text, reader->call);
        return NULL;
    }
    if (json_array_size(run) == 0) { /* nor where it is no list */
        fprintf(err, "bench: %s: no list of figures: store a run with %s\n",
            reader->path, reader->call);
        json_decref(run);
        return NULL;
    }
    for (size_t i = 0; i < json_array_size(run); i++) {
        if (!check_row(reader, run, i, err)) {
            json_decref(run);
            return NULL;
        }
    }
    return run;
}

json_t *run_read(const struct bench *bench, const char *path, FILE *err)
{
    const struct reader reader = {
        bench, path, "benchmark", "tools/bench", is_benchmark, figure_problem};

    return read_list(&reader, err);
}

json_t *run_read_growth(const struct bench *bench, const char *path, FILE *err)
{
    const struct reader reader = {bench, path, "growth", "tools/bench --growth",
        is_growth, growth_problem};

    return read_list(&reader, err);
}
