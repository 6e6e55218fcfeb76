/* fault_scope.c - KEY=VALUE of --fail-scope read, looked up in a scenario, and
 * asked of calls. */
#include "scenarios/runner/failures/fault_scope.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/faults.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/text/suggest.h"
#include "scenarios/runner/failures/call_site.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/text/visible_text.h"

enum fault_scope_key {
#define FAULT_SCOPE(name, key, help) SCOPE_##name,
#include "scenarios/runner/failures/fault_scopes.def"
    SCOPE_KEYS
};

static const char *const keys[SCOPE_KEYS] = {
#define FAULT_SCOPE(name, key, help) key,
#include "scenarios/runner/failures/fault_scopes.def"
};

/* SCOPE_KEYS: it begins with none. */
static enum fault_scope_key read_word(const char *word, const char **value)
{
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? 0 : (size_t)(equals - word);
    enum fault_scope_key key = 0;

    while (key < SCOPE_KEYS && (strlen(keys[key]) != length ||
                                   strncmp(keys[key], word, length) != 0)) {
        key++;
    }
    *value = equals == NULL ? "" : equals + 1;
    return (*value)[0] == '\0' ? SCOPE_KEYS : key;
}

/* "; did you mean 'x'?", or nothing. */
static void say_nearest(const struct suggestion *suggestion, FILE *errors)
{
    if (suggestion->nearest != NULL) {
        fprintf(errors, "; did you mean '%s'?", suggestion->nearest);
    }
    fputc('\n', errors);
}

/* A routine that can fail. */
static bool check_routine(const char *name, FILE *errors)
{
    struct suggestion suggestion = suggest_for(name);
    enum routine routine;

    if (routine_find(name, &routine) && faults_are_possible(routine)) {
        return true;
    }
    if (routine_find(name, &routine)) {
        fprintf(errors,
            "ntpmu: --fail-scope: %s fails by its caller's mistakes alone, if "
            "at all\n       api/core/faults.def has those that can fail\n",
            name);
        return false;
    }
    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        if (faults_are_possible(i)) {
            suggest_offer(&suggestion, routine_rows[i].name);
        }
    }
    fprintf(errors, "ntpmu: --fail-scope: no routine is called '%s'",
        visible_name(name));
    say_nearest(&suggestion, errors);
    return false;
}

bool fault_scope_check(const char *word, FILE *errors)
{
    const char *value;
    enum fault_scope_key key = read_word(word, &value);

    if (key == SCOPE_KEYS) {
        fprintf(errors,
            "ntpmu: --fail-scope wants KEY=VALUE, not '%s'\n       write",
            visible_name(word));
        for (enum fault_scope_key i = 0; i < SCOPE_KEYS; i++) {
            fprintf(errors, "%s %s=...", i == 0 ? "" : " or", keys[i]);
        }
        fputc('\n', errors);
        return false;
    }
    return key != SCOPE_ROUTINE || check_routine(value, errors);
}

/* The step of that number; *first is its ordinal. */
static const char *find_step(void *context, const struct scenario *scenario,
    const char *number, size_t *first)
{
    for (size_t i = 0; i < scenario->steps.count; i++) {
        if (strcmp(scenario->steps.item[i].number, number) == 0) {
            *first = scenario->steps.item[i].ordinal;
            return NULL;
        }
    }
    return talloc_asprintf(context,
        "--fail-scope names step %s, and the scenario's steps are 1 to %zu",
        number, scenario->steps.count);
}

static const char *find_actor(
    void *context, const struct scenario *scenario, const char *name)
{
    struct suggestion suggestion = suggest_for(name);

    for (size_t i = 0; i < scenario->actor_count; i++) {
        const char *actor = scenario->actor[i].driver.name;

        if (strcmp(actor, name) == 0) {
            return NULL;
        }
        suggest_offer(&suggestion, actor);
    }
    return talloc_asprintf(context,
        "--fail-scope names actor '%s', which the scenario does not have%s%s",
        name, suggestion.nearest == NULL ? "" : "; it has ",
        suggestion.nearest == NULL ? "" : suggestion.nearest);
}

const char *fault_scope_open(void *context, struct fault_scope *scope,
    const struct run_words *words, const struct scenario *scenario)
{
    const char *problem = NULL;

    *scope = (struct fault_scope){
        .words = *words, .first_step = SIZE_MAX, .native = scenario->native};
    for (size_t i = 0; i < words->count && problem == NULL; i++) {
        const char *value;
        size_t first = 0;

        switch (read_word(words->item[i], &value)) {
        case SCOPE_STEP:
            problem = find_step(context, scenario, value, &first);
            scope->first_step =
                first < scope->first_step ? first : scope->first_step;
            break;
        case SCOPE_ACTOR:
            problem = find_actor(context, scenario, value);
            break;
        case SCOPE_ROUTINE:
        case SCOPE_FUNCTION:
        case SCOPE_KEYS:
            break;
        }
    }
    if (scope->first_step == SIZE_MAX) {
        scope->first_step = 0;
    }
    return problem;
}

static bool is_in_function(struct kernel *kernel, const char *name)
{
    uint64_t address[CALL_SITE_DEPTH];
    size_t depth = place_callers(kernel, address, CALL_SITE_DEPTH);

    for (size_t i = 0; i < depth; i++) {
        const char *function = place_function(kernel, address[i]);

        if (function != NULL && strcmp(function, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_actor(struct kernel *kernel, const char *name)
{
    const struct driver *driver = kernel_driver(kernel, kernel_cpu(kernel));

    return driver != NULL && strcmp(driver->name, name) == 0;
}

/* Beside a driver with an image, actors are set-up unless they are named. */
static bool is_played_beside(
    const struct fault_scope *scope, struct kernel *kernel)
{
    uint64_t address;

    return scope->native && place_callers(kernel, &address, 1) == 0;
}

bool fault_scope_has(const struct fault_scope *scope, struct kernel *kernel,
    enum routine routine, size_t step)
{
    bool asked[SCOPE_KEYS + 1] = {false}, met[SCOPE_KEYS + 1] = {false};
    bool has = step >= scope->first_step;

    for (size_t i = 0; i < scope->words.count; i++) {
        const char *value;
        enum fault_scope_key key = read_word(scope->words.item[i], &value);

        asked[key] = true;
        met[key] |= key == SCOPE_STEP ||
                    (key == SCOPE_ACTOR && is_of_actor(kernel, value)) ||
                    (key == SCOPE_ROUTINE &&
                        strcmp(routine_rows[routine].name, value) == 0) ||
                    (key == SCOPE_FUNCTION && is_in_function(kernel, value));
    }
    for (enum fault_scope_key key = 0; key < SCOPE_KEYS; key++) {
        has &= !asked[key] || met[key];
    }
    return has && (asked[SCOPE_ACTOR] || !is_played_beside(scope, kernel));
}
