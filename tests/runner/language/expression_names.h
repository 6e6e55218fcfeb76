/* expression_names.h - a fixed set of names for expressions, and what came of
 * one as a text. */
#ifndef TESTS_RUNNER_LANGUAGE_EXPRESSION_NAMES_H
#define TESTS_RUNNER_LANGUAGE_EXPRESSION_NAMES_H

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/constants.h"
#include "scenarios/runner/language/expression.h"

/* What the names mean: `unknown` as while a file is checked. */
struct expression_set {
    void *memory;
    bool unknown;
    bool tags; /* tag() is there; the one tag is hal */
};

struct expression_row {
    const char *name;
    struct expression_value value;
    bool unset;
};

/* n 5, zero 0, neg -3, big 2^64 - 1, t and f truths, word a text, list of 3,
 * st and other statuses, level and dispatch IRQLs, os and WIN8, arch and arm64,
 * kind an enumerator's; unset and gone.0 have no value. */
static const struct expression_row expression_rows[] = {
    {"n", {.kind = EXPRESSION_NUMBER, .number = 5}, false},
    {"zero", {.kind = EXPRESSION_NUMBER, .number = 0}, false},
    {"neg", {.kind = EXPRESSION_NUMBER, .number = -3}, false},
    {"big", {.kind = EXPRESSION_NUMBER, .number = UINT64_MAX}, false},
    {"t", {.kind = EXPRESSION_BOOL, .number = 1}, false},
    {"f", {.kind = EXPRESSION_BOOL, .number = 0}, false},
    {"word", {.kind = EXPRESSION_TEXT, .text = "ab"}, false},
    {"list", {.kind = EXPRESSION_LIST, .number = 3}, false},
    {"x.0.Member", {.kind = EXPRESSION_NUMBER, .number = 7}, false},
    {"len", {.kind = EXPRESSION_NUMBER, .number = 11}, false},
    {"st",
        {.kind = EXPRESSION_NUMBER, .domain = "NTSTATUS", .number = 0xC000000D},
        false},
    {"other", {.kind = EXPRESSION_NUMBER, .domain = "NTSTATUS"}, false},
    {"level",
        {.kind = EXPRESSION_NUMBER,
            .domain = "KIRQL",
            .ordered = true,
            .number = 15},
        false},
    {"dispatch",
        {.kind = EXPRESSION_NUMBER,
            .domain = "KIRQL",
            .ordered = true,
            .number = 2},
        false},
    {"os",
        {.kind = EXPRESSION_NUMBER,
            .domain = constant_domain_os,
            .ordered = true,
            .named = true,
            .number = 5},
        false},
    {"WIN8",
        {.kind = EXPRESSION_NUMBER,
            .domain = constant_domain_os,
            .ordered = true,
            .named = true,
            .number = 1},
        false},
    {"arch",
        {.kind = EXPRESSION_NUMBER,
            .domain = constant_domain_arch,
            .named = true,
            .number = 1},
        false},
    {"arm64",
        {.kind = EXPRESSION_NUMBER,
            .domain = constant_domain_arch,
            .named = true,
            .number = 3},
        false},
    {"unset", {.kind = EXPRESSION_NUMBER}, true},
    {"gone.0", {.kind = EXPRESSION_BOOL}, true},
};

static inline bool expression_set_path(void *context, const char *path,
    struct expression_value *value, struct expression_problem *problem)
{
    const struct expression_set *set = context;

    for (size_t i = 0; i < sizeof(expression_rows) / sizeof(expression_rows[0]);
         i++) {
        const struct expression_row *row = &expression_rows[i];

        if (strcmp(row->name, path) != 0) {
            continue;
        }
        *value = row->value;
        value->known = !set->unknown && !row->unset;
        if (row->unset && !set->unknown) {
            problem->unset = true;
            problem->message = "has no value";
            return false;
        }
        return true;
    }
    problem->message = talloc_asprintf(set->memory, "no '%s'", path);
    return false;
}

static inline bool expression_set_tag(void *context, const char *tag)
{
    (void)context;
    return strcmp(tag, "hal") == 0;
}

struct expression_test {
    const char *name;
    const char *text;
    const char *want; /* what expression_result() makes of it */
};

/* "5", "true", "'ab'", "a list of 3", "unknown number", or of an error
 * "offset+width message (hint)". */
static inline const char *expression_result(
    struct expression_set *set, const char *text)
{
    const struct expression_names names = {
        set, expression_set_path, set->tags ? expression_set_tag : NULL};
    struct expression_value value;
    struct expression_problem problem;

    if (expression_evaluate(set->memory, text, &names, &value, &problem)) {
        return value.known ? constant_show(set->memory, &value)
                           : talloc_asprintf(set->memory, "unknown %s",
                                 expression_kind_name(&value));
    }
    return talloc_asprintf(set->memory, "%zu+%zu %s%s%s%s", problem.offset,
        problem.width, problem.message, problem.hint == NULL ? "" : " (",
        problem.hint == NULL ? "" : problem.hint,
        problem.hint == NULL ? "" : ")");
}

#endif
