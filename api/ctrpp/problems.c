/* problems.c - the problems of a manifest: a list in the order of their places,
 * and what each code means. */
#include "api/ctrpp/problems.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/limits.h"

const struct manifest_problem_row
    manifest_problem_rows[MANIFEST_PROBLEM_COUNT] = {
#define PROBLEM(name, code, severity, requirements, text, help)                \
    [MANIFEST_PROBLEM_##name] = {                                              \
        code, MANIFEST_##severity, requirements, text, help},
#include "api/ctrpp/problems.def"
};

struct manifest_problems *manifest_problems_new(void *context)
{
    struct manifest_problems *problems =
        talloc_zero(context, struct manifest_problems);

    assert(problems != NULL);
    return problems;
}

static bool is_refusal(const struct manifest_problem *problem)
{
    return manifest_problem_rows[problem->code].severity == MANIFEST_REFUSAL;
}

static bool is_before(
    const struct manifest_problem *a, const struct manifest_problem *b)
{
    if (is_refusal(a) != is_refusal(b)) {
        return is_refusal(a);
    }
    return a->place.line != b->place.line ? a->place.line < b->place.line
                                          : a->place.column < b->place.column;
}

/* Room for one more where it belongs. Problems come nearly in order, so that
 * it is looked for from the end. */
static struct manifest_problem *make_room(
    struct manifest_problems *problems, const struct manifest_problem *problem)
{
    size_t at = problems->count;

    if (at == talloc_array_length(problems->item)) {
        problems->item = talloc_realloc(problems, problems->item,
            struct manifest_problem, (unsigned)at * 2 + 16);
        assert(problems->item != NULL);
    }
    while (at > 0 && is_before(problem, &problems->item[at - 1])) {
        at--;
    }
    memmove(&problems->item[at + 1], &problems->item[at],
        (problems->count - at) * sizeof(problems->item[0]));
    problems->count++;
    return &problems->item[at];
}

void manifest_problem_add(struct manifest_problems *problems,
    enum manifest_problem_code code, struct manifest_place place,
    const char *format, ...)
{
    struct manifest_problem problem = {.code = code, .place = place};
    va_list arguments;

    assert(code < MANIFEST_PROBLEM_COUNT && place.line > 0 && place.column > 0);
    problems->errors +=
        manifest_problem_rows[code].severity != MANIFEST_WARNING;
    if (problems->count == MANIFEST_MOST_PROBLEMS) {
        problems->dropped++;
        if (!is_refusal(&problem)) {
            problems->last = NULL;
            return;
        }
        problems->count--;
    }
    va_start(arguments, format);
    problem.message = talloc_vasprintf(problems, format, arguments);
    va_end(arguments);
    problems->last = make_room(problems, &problem);
    *problems->last = problem;
}

void manifest_problem_hint(
    struct manifest_problems *problems, const char *format, ...)
{
    va_list arguments;

    if (problems->last == NULL) {
        return; /* it was dropped */
    }
    va_start(arguments, format);
    problems->last->hint = talloc_vasprintf(problems, format, arguments);
    va_end(arguments);
}
