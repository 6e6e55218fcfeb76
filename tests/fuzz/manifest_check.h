/* manifest_check.h - what holds of any bytes that are read as a manifest: each
 * problem is in its place and says what to do, all can be printed, and what has
 * none can be compiled. Who includes it defines _POSIX_C_SOURCE. */
#ifndef TESTS_FUZZ_MANIFEST_CHECK_H
#define TESTS_FUZZ_MANIFEST_CHECK_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/encoding.h"
#include "api/ctrpp/generate.h"
#include "api/ctrpp/manifest_text.h"
#include "api/text/utf8.h"
#include "scenarios/runner/counters/manifest_file.h"

static inline void manifest_check_place(
    const struct source *source, struct manifest_place place)
{
    size_t length;
    const char *line;

    assert(place.line >= 1 && place.line <= source->line_count);
    line = source_line(source, place.line, &length);
    /* A carriage return before the line's end is a character, too. */
    assert(
        place.column >= 1 && place.column <= utf8_characters(line, length) + 2);
}

/* By their places, behind refusals. */
static inline bool manifest_check_order(
    const struct manifest_problem *one, const struct manifest_problem *next)
{
    bool first = manifest_problem_rows[one->code].severity == MANIFEST_REFUSAL;
    bool second =
        manifest_problem_rows[next->code].severity == MANIFEST_REFUSAL;

    return first == second ? one->place.line <= next->place.line : first;
}

static inline void manifest_check_problems(
    const struct manifest_problems *problems, const struct source *source)
{
    size_t errors = 0;

    for (size_t i = 0; i < problems->count; i++) {
        const struct manifest_problem *problem = &problems->item[i];

        assert(problem->message != NULL && problem->hint != NULL);
        assert(i == 0 || manifest_check_order(problem - 1, problem));
        if (source != NULL) {
            manifest_check_place(source, problem->place);
        }
        errors +=
            manifest_problem_rows[problem->code].severity != MANIFEST_WARNING;
    }
    assert(problems->dropped > 0 || errors == problems->errors);
}

/* Every reference of a valid manifest leads to something. */
static inline void manifest_check_set(
    const struct manifest *manifest, const struct manifest_set *set)
{
    assert(set->counter_count > 0 && set->name != NULL);
    for (size_t i = 0; i < set->counter_count; i++) {
        const struct manifest_counter *counter = &set->counter[i];

        assert(counter->type < COUNTER_TYPE_COUNT && counter->uri != NULL);
        assert(!counter->base_id.given ||
               manifest_counter_by_id(set, counter->base_id.value) != NULL);
        if (manifest->kernel_mode) {
            assert(counter->structure < set->structure_count);
            assert(counter->field != NULL && counter->id <= UINT16_MAX);
        }
    }
}

/* What was migrated is valid, too, and of schema 2.0. */
static inline void manifest_check_migrated(void *memory,
    const struct manifest *manifest, const struct source *source,
    enum encoding encoding)
{
    const struct rulings rulings = rulings_default();
    struct manifest_problems *problems = manifest_problems_new(memory);
    const char *text =
        ctrpp_migrated(memory, manifest, source->text, source->length);
    size_t size;
    const char *bytes =
        encoding_encoded(memory, text, strlen(text), encoding, &size);
    const struct manifest *again =
        manifest_read(memory, bytes, size, &rulings, problems);

    if (again == NULL) {
        manifest_file_print_problems(problems, "migrated.man",
            source_from_text(memory, "migrated.man", text, strlen(text)),
            stderr);
    }
    assert(again != NULL && again->schema == MANIFEST_SCHEMA_2_0);
    assert(again->set_count == manifest->set_count);
}

/* Read for code with all names that there can be: -ch is asked for, and there
 * is no prefix. Each problem is in its place, also beside other ones. */
static inline void manifest_check_names(void *memory, const char *text,
    size_t length, const struct rulings *rulings, const struct source *source)
{
    const struct ctrpp_settings settings = {
        .prefix = "", .source = "t.man", .symbols = true};
    struct manifest_problems *problems = manifest_problems_new(memory);

    manifest_parse(memory, text, length, &settings, rulings, problems);
    manifest_check_problems(problems, source);
}

static inline void manifest_check_outputs(
    void *memory, const struct manifest *manifest)
{
    const struct ctrpp_settings settings = {.prefix = "P", .source = "t.man"};

    if (manifest->kernel_mode) {
        assert(ctrpp_header(memory, manifest, &settings) != NULL);
        assert(ctrpp_resources(memory, manifest, &settings) != NULL);
        assert(ctrpp_symbols(memory, manifest, &settings) != NULL);
    }
}

/* Reads it and checks all of that; writes the problems to `out`. Returns
 * whether it is valid. */
static inline bool manifest_check(const char *bytes, size_t size, FILE *out)
{
    const struct rulings rulings = rulings_default();
    void *memory = talloc_new(NULL);
    struct manifest_problems *ignored = manifest_problems_new(memory);
    struct manifest_problems *problems = manifest_problems_new(memory);
    const struct source *source = NULL;
    const struct manifest *manifest;
    size_t length;
    char *text = manifest_text(memory, bytes, size, ignored, &length);
    bool valid;

    if (text != NULL) {
        source = source_from_text(memory, "t.man", text, length);
        manifest_check_names(memory, text, length, &rulings, source);
    }
    manifest = manifest_read(memory, bytes, size, &rulings, problems);
    valid = manifest != NULL;
    assert(valid == (problems->errors == 0));
    manifest_check_problems(problems, source);
    manifest_file_print_problems(problems, "t.man", source, out);
    for (size_t i = 0; valid && i < manifest->set_count; i++) {
        manifest_check_set(manifest, &manifest->set[i]);
    }
    if (valid) {
        manifest_check_migrated(
            memory, manifest, source, encoding_of(bytes, size));
        manifest_check_outputs(memory, manifest);
    }
    talloc_free(memory);
    return valid;
}

#endif
