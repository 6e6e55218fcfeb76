/* selection.c - the instances that the command line asks for: files read,
 * filters, each over what the ones before it have left, then the order. */
#include "scenarios/runner/selection/selection.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/text/fnv.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/condition.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/xfail_list.h"
#include "scenarios/runner/selection/history.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "scenarios/runner/text/visible_text.h"
#include "sim/base/splitmix.h"

/* What the filters look at. */
struct selection {
    struct instances *instances;
    const struct options *options;
    const struct history *history;     /* NULL: nobody asks for it */
    const struct condition *condition; /* of -e */
    size_t never_run;
    FILE *errors;
};

enum exit_code selection_judge_files(const struct suite *suite)
{
    if (diagnostics_errors(suite->diagnostics) != 0) {
        return EXIT_INVALID;
    }
    return suite->scenario_count == 0 ? EXIT_NOTHING : EXIT_OK;
}

void selection_print_files(const struct suite *suite, FILE *out)
{
    diagnostics_print(suite->diagnostics, out);
    for (size_t i = 0; i < suite->other_count; i++) {
        fprintf(out,
            "%s: note: not a scenario, left out: its first key is "
            "not ntpmu\n",
            suite->other[i]);
    }
}

struct suite *selection_read(void *context, const struct options *options)
{
    const struct suite_way way = {
        options->given.item, options->given.count, options->jobs};
    struct suite *suite = suite_read_so(
        context, &language_kinds, options->path, options->path_count, &way);

    for (size_t i = 0; i < options->xfail.count; i++) {
        xfail_list_apply(
            suite->library, options->xfail.item[i], suite->instances);
    }
    return suite;
}

static bool has_id(const struct instance *instance, const char *id)
{
    return strcmp(instance->id, id) == 0 ||
           strcmp(instance->outline->id, id) == 0;
}

static bool has_an_id(
    struct selection *selection, const struct instance *instance)
{
    const struct option_list *list = &selection->options->id;

    for (size_t i = 0; i < list->count; i++) {
        if (has_id(instance, list->item[i])) {
            return true;
        }
    }
    return false;
}

static bool meets_condition(
    struct selection *selection, const struct instance *instance)
{
    return condition_met(selection->condition, instance);
}

static bool has_status(
    struct selection *selection, const struct instance *instance)
{
    const struct history_entry *entry =
        history_find(selection->history, instance->id);

    if (entry == NULL) {
        selection->never_run++;
        return false;
    }
    return (selection->options->statuses & (1u << entry->result)) != 0;
}

static bool is_in_shard(
    struct selection *selection, const struct instance *instance)
{
    const struct options *options = selection->options;

    return fnv1a(instance->id) % options->shards == options->shard - 1;
}

/* Keeps what the filter takes. Says so, and returns false, when that is
 * nothing. */
static bool filter(struct selection *selection, const char *option,
    bool (*takes)(struct selection *selection, const struct instance *instance))
{
    struct instances *instances = selection->instances;
    size_t before = instances->count;
    size_t kept = 0;

    for (size_t i = 0; i < before; i++) {
        if (takes(selection, &instances->item[i])) {
            instances->item[kept++] = instances->item[i];
        }
    }
    instances->count = kept;
    if (kept == 0) {
        fprintf(selection->errors,
            "ntpmu: nothing selected: %s takes none of %zu instance%s\n",
            option, before, before == 1 ? "" : "s");
    }
    return kept > 0;
}

/* Each id that was asked for has to be there. */
static bool ids_exist(const struct selection *selection)
{
    const struct option_list *list = &selection->options->id;
    size_t missing = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct instances *instances = selection->instances;
        size_t n = 0;

        while (n < instances->count &&
               !has_id(&instances->item[n], list->item[i])) {
            n++;
        }
        if (n == instances->count) {
            fprintf(selection->errors, "ntpmu: no instance or scenario '%s'\n",
                visible_name(list->item[i]));
            missing++;
        }
    }
    return missing == 0;
}

static bool apply_filters(struct selection *selection)
{
    const struct options *options = selection->options;
    bool some = true;

    if (options->id.count > 0) {
        some = ids_exist(selection) && filter(selection, "--id", has_an_id);
    }
    if (some && options->expression != NULL) {
        selection->condition = condition_new(
            selection->instances, options->expression, selection->errors);
        some = selection->condition != NULL &&
               filter(selection, "-e", meets_condition);
    }
    if (some && options->statuses != 0) {
        some = filter(selection, "--filter-status", has_status);
        if (selection->never_run > 0) {
            fprintf(selection->errors,
                "ntpmu: --filter-status leaves out %zu that %s not been run "
                "before\n",
                selection->never_run,
                selection->never_run == 1 ? "has" : "have");
        }
    }
    /* Explored is a part of each one's schedules instead. */
    if (some && options->shards != 0 && options->command != COMMAND_EXPLORE) {
        some = filter(selection, "--shard", is_in_shard) ||
               options->results != NULL; /* a part may be empty */
    }
    return some;
}

static void swap(struct instance *a, struct instance *b)
{
    struct instance kept = *a;

    *a = *b;
    *b = kept;
}

static void reverse(struct instances *instances)
{
    for (size_t i = 0; i < instances->count / 2; i++) {
        swap(&instances->item[i], &instances->item[instances->count - 1 - i]);
    }
}

/* Fisher and Yates. */
static void shuffle(struct instances *instances, uint64_t seed)
{
    struct splitmix stream = {seed};

    for (size_t i = instances->count; i > 1; i--) {
        swap(&instances->item[i - 1],
            &instances->item[splitmix_below(&stream, i)]);
    }
}

/* What failed the last time goes first; otherwise the order stays. */
static void failed_first(
    struct instances *instances, const struct history *history)
{
    struct instance *item =
        talloc_array(instances, struct instance, (unsigned)instances->count);
    size_t count = 0;

    assert(item != NULL);
    for (int wanted = 1; wanted >= 0; wanted--) {
        for (size_t i = 0; i < instances->count; i++) {
            const struct history_entry *entry =
                history_find(history, instances->item[i].id);
            int failed = entry != NULL && verdict_result_failed(entry->result);

            if (failed == wanted) {
                item[count++] = instances->item[i];
            }
        }
    }
    talloc_free(instances->item);
    instances->item = item;
}

static void apply_order(struct selection *selection)
{
    switch (selection->options->order) {
    case ORDER_LISTED:
        break;
    case ORDER_REVERSE:
        reverse(selection->instances);
        break;
    case ORDER_RANDOM:
        shuffle(selection->instances, selection->options->seed);
        break;
    case ORDER_SMART:
        failed_first(selection->instances, selection->history);
        break;
    }
}

/* Reads what happened the last time, if the options ask for it. */
static bool recall(struct selection *selection)
{
    const struct options *options = selection->options;
    const char *problem = "neither HOME nor XDG_CACHE_HOME says where";
    char *path;

    if (options->statuses == 0 && options->order != ORDER_SMART) {
        return true;
    }
    path = history_path(selection->instances);
    if (path != NULL) {
        selection->history = history_read(selection->instances, path, &problem);
    }
    if (selection->history == NULL) {
        fprintf(selection->errors,
            "ntpmu: there are no last results of this directory: %s\n"
            "       run once without %s\n",
            visible_name(problem),
            options->statuses != 0 ? "--filter-status" : "--order smart");
    }
    return selection->history != NULL;
}

enum exit_code selection_apply(
    struct suite *suite, const struct options *options, FILE *errors)
{
    struct selection selection = {
        .instances = suite->instances,
        .options = options,
        .errors = errors,
    };
    enum exit_code code = selection_judge_files(suite);

    if (suite->instances->count == 0) {
        if (code == EXIT_NOTHING) {
            fprintf(errors,
                "ntpmu: nothing selected: no scenario below these paths\n");
        }
        return code == EXIT_OK ? EXIT_NOTHING : code;
    }
    if (!recall(&selection)) {
        suite->instances->count = 0;
        return EXIT_USAGE;
    }
    if (!apply_filters(&selection)) {
        suite->instances->count = 0;
        if (options->expression != NULL && selection.condition == NULL) {
            return EXIT_USAGE;
        }
        return code == EXIT_OK ? EXIT_NOTHING : code;
    }
    apply_order(&selection);
    return EXIT_OK;
}

enum { NAMED = 5 /* instances that are named when several are meant */ };

static void refuse_several(const struct suite *suite, FILE *errors)
{
    const struct instances *instances = suite->instances;

    fprintf(errors,
        "ntpmu: %zu instances\n       name one with --id:", instances->count);
    for (size_t i = 0; i < instances->count && i < NAMED; i++) {
        fprintf(errors, "%s '%s'", i == 0 ? "" : ",", instances->item[i].id);
    }
    fprintf(errors, "%s\n", instances->count > NAMED ? ", ..." : "");
}

enum exit_code selection_apply_one(
    struct suite *suite, const struct options *options, FILE *errors)
{
    enum exit_code code = selection_judge_files(suite);

    selection_print_files(suite, errors);
    if (code != EXIT_INVALID) {
        code = selection_apply(suite, options, errors);
    }
    if (code == EXIT_OK && suite->instances->count > 1) {
        refuse_several(suite, errors);
        code = EXIT_USAGE;
    }
    return code;
}
