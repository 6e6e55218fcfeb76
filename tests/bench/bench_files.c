/* bench_files.c - the family runner: many files read. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>
#include <yaml.h>

#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/runner_scene.h"
#include "tests/bench/stopwatch.h"

enum { FILES = 10000, FEW_FILES = 1000 };

/* As `validate` reads a directory; of all files. */
static double read_files(size_t count)
{
    void *memory = talloc_new(NULL);
    char *path = talloc_strdup(memory, runner_scene_files(count));
    double start = stopwatch_ns(), ns;
    const struct suite *suite = suite_read(memory, &language_kinds, &path, 1);

    assert(suite->scenario_count == count);
    assert(diagnostics_errors(suite->diagnostics) == 0);
    (void)suite;
    talloc_free(memory);
    ns = stopwatch_ns() - start;
    return ns;
}

double runner_files_10000(void)
{
    return read_files(FILES);
}

double runner_file_among_10000(void)
{
    return read_files(FILES) / FILES;
}

double runner_file_among_1000(void)
{
    return read_files(FEW_FILES) / FEW_FILES;
}

static void parse(FILE *file)
{
    yaml_parser_t parser;
    yaml_event_t event;
    bool end = false;

    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, file);
    while (!end && yaml_parser_parse(&parser, &event) != 0) {
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    assert(end);
    yaml_parser_delete(&parser);
}

/* The least that reading costs: files opened, and libyaml's events. */
double runner_files_events(void)
{
    const char *directory = runner_scene_files(FILES);
    double start = stopwatch_ns();

    for (size_t i = 0; i < FILES; i++) {
        char path[256];
        FILE *file;

        runner_scene_files_path(path, sizeof(path), directory, i);
        file = fopen(path, "rb");
        assert(file != NULL);
        parse(file);
        fclose(file);
    }
    return stopwatch_ns() - start;
}
