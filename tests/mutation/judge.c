/* judge.c - exit codes into words. */
#include "tests/mutation/judge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/run/exit_code.h"

enum {
    EXIT_TIMED_OUT = 124, /* of timeout(1) */
    EXIT_KILLED = 137,    /* by its signal that cannot be handled */
    EXIT_SIGNAL = 128,    /* and the number of it, as a shell says */
    EXIT_LEAKED = 23,     /* of LeakSanitizer */
};

static json_t *how(long code, const char *errors)
{
    switch (code) {
    case EXIT_FAILED:
        return json_string("expectation");
    case EXIT_INVALID:
        return json_string("invalid");
    case EXIT_TIMED_OUT:
    case EXIT_KILLED:
        return json_string("timeout");
    case EXIT_LEAKED:
        return json_string("leak");
    default:
        break;
    }
    if (code == EXIT_INTERNAL || code > EXIT_SIGNAL) {
        return json_string(
            strstr(errors, ": Assertion `") != NULL ? "assert" : "crash");
    }
    return json_sprintf("exit %ld", code);
}

void judge(json_t *mutant, const char *end, const char *errors, json_t *noticed)
{
    char *rest;
    long code = strtol(end, &rest, 10);

    if (rest == end) {
        json_object_set_new(mutant, "end", json_string(end));
        return;
    }
    if (code == EXIT_OK) {
        json_object_set_new(mutant, "end", json_string("survived"));
        return;
    }
    json_object_set_new(mutant, "end", json_string("caught"));
    json_object_set_new(mutant, "how", how(code, errors));
    json_object_set(mutant, "instances", json_object_get(noticed, "instances"));
    json_object_set(
        mutant, "requirements", json_object_get(noticed, "requirements"));
}

void judge_module_tests(json_t *mutant, const char *said)
{
    json_object_set_new(mutant, "module_tests", json_string(said));
    if (strcmp(said, "survived") != 0 && strcmp(said, "not built") != 0) {
        json_object_set_new(mutant, "end", json_string("caught"));
        json_object_set_new(mutant, "how", json_string("module_tests"));
    }
}

static bool has(const json_t *list, const json_t *text)
{
    const json_t *item;
    size_t i;

    json_array_foreach(list, i, item)
    {
        if (json_equal(item, text)) {
            return true;
        }
    }
    return false;
}

bool judge_proof(const json_t *mutant, FILE *out)
{
    const json_t *requirements = json_object_get(mutant, "requirements");
    const json_t *wanted = json_object_get(mutant, "wanted");
    const char *end = json_string_value(json_object_get(mutant, "end"));
    const char *how_caught = json_string_value(json_object_get(mutant, "how"));
    bool judged = how_caught != NULL && strcmp(how_caught, "expectation") == 0;
    bool unit = json_is_true(json_object_get(mutant, "unit"));
    const json_t *id;
    bool proven = true;
    size_t i;

    json_array_foreach(wanted, i, id)
    {
        if (judged && (unit || has(requirements, id))) {
            continue;
        }
        proven = false;
        fprintf(out,
            "%s: %s:%d: '%s' became '%s' and no expectation of %s that cites "
            "%s failed (%s%s%s)\n",
            json_string_value(json_object_get(mutant, "entry")),
            json_string_value(json_object_get(mutant, "file")),
            (int)json_integer_value(json_object_get(mutant, "line")),
            json_string_value(json_object_get(mutant, "before")),
            json_string_value(json_object_get(mutant, "after")),
            json_string_value(json_object_get(mutant, "by")),
            json_string_value(id), end, how_caught == NULL ? "" : ": ",
            how_caught == NULL ? "" : how_caught);
    }
    return proven;
}

bool judge_slice(const json_t *mutant, FILE *out)
{
    const json_t *test = json_object_get(mutant, "test");
    bool noticed = json_equal(json_object_get(mutant, "module_tests"), test);

    if (!noticed) {
        fprintf(out, "%s:%d: '%s' became '%s' and %s did not notice (%s)\n",
            json_string_value(json_object_get(mutant, "file")),
            (int)json_integer_value(json_object_get(mutant, "line")),
            json_string_value(json_object_get(mutant, "before")),
            json_string_value(json_object_get(mutant, "after")),
            json_string_value(test),
            json_string_value(json_object_get(mutant, "end")));
    }
    return noticed;
}
