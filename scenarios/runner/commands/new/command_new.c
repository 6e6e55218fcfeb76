/* command_new.c - ntpmu new ID [--title TEXT] [--call ROUTINE] [-o FILE]. A
 * scenario is run before it is given away. */
#include "scenarios/runner/command_line/options.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/leaks.h"
#include "api/core/trace_events.h"
#include "scenarios/runner/command_line/new_file.h"
#include "scenarios/runner/commands/new/new_scenario.h"
#include "scenarios/runner/language/event.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "scenarios/runner/text/visible_text.h"

struct trial {
    void *context;
    struct session session;
    const struct requirements *requirements;
    const char *text; /* laid out */
    const struct instances *instances;
    const struct driver *driver; /* the first actor, when it has run */
};

/* Reads the text. What is wrong with it goes to standard error. */
static bool read_text(struct trial *trial, const char *text)
{
    struct diagnostics *diagnostics = diagnostics_new(trial->context);
    struct library *library = library_new(
        trial->context, &language_kinds, trial->requirements, diagnostics);
    const char *made = new_file_lay_out(trial->context, text, diagnostics);
    struct source *source =
        source_from_text(trial->context, "new", made, strlen(made));
    struct outline *outline;

    library->no_files = true;
    if (diagnostics_errors(diagnostics) != 0 ||
        scenario_file_check(trial->context, source, library, &outline) !=
            FILE_SCENARIO) {
        diagnostics_print(diagnostics, stderr);
        return false;
    }
    trial->text = made;
    trial->instances = &outline->instances;
    return true;
}

/* Runs all instances. Returns whether they pass; failures are told where
 * `tell`. */
static bool run_text(struct trial *trial, FILE *tell)
{
    bool passed = true;

    for (size_t i = 0; i < trial->instances->count; i++) {
        const struct instance instance =
            instance_open(trial->context, &trial->instances->item[i]);
        struct verdict *verdict =
            run_instance(trial->context, &trial->session, &instance);

        trial->driver = &instance.scenario->actor[0].driver;
        passed &= verdict->result == RESULT_PASS;
        if (tell != NULL) {
            report_failures(&trial->session, &instance, verdict, tell);
        }
    }
    return passed;
}

/* The status that the last call of the routine returned; NULL: none. */
static const char *status_of(const struct trial *trial, const char *routine)
{
    const struct trace *trace = &trial->session.machine.trace;
    const char *status = NULL;

    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_record *record = &trace->record[i];
        struct trace_field api, field;

        if (record->kind == &api_events[API_EVENT_RETURN_STATUS] &&
            event_kind_field(record->kind, "api", &api) &&
            event_kind_field(record->kind, "status", &field) &&
            strcmp(trace_text_at(trace, record->value[api.value]), routine) ==
                0) {
            status = trace_text_at(trace, record->value[field.value]);
        }
    }
    return status == NULL ? NULL : talloc_strdup(trial->context, status);
}

static void count_held(void *context, const struct leak_found *found)
{
    struct new_observed *observed = context;

    observed->held[found->leak]++;
}

static bool make_call(struct trial *trial, const struct options *options,
    const struct routine_row *routine)
{
    struct kernel *kernel = &trial->session.kernel;
    struct new_observed observed = {.stopped = BUGCHECK_NONE};
    const char *id = options->path[0];

    if (!read_text(trial, new_scenario_call(trial->context, id, options->title,
                              routine, NULL))) {
        return false;
    }
    run_text(trial, NULL);
    observed.status = status_of(trial, routine->name);
    observed.stopped = kernel->bugcheck.code;
    observed.rules = &kernel->rules;
    if (observed.stopped == BUGCHECK_NONE) {
        leaks_list(kernel,
            &(struct leak_listing){trial->driver, count_held, &observed});
    }
    return read_text(trial, new_scenario_call(trial->context, id,
                                options->title, routine, &observed));
}

/* NULL after saying why no actor can call it. */
static const struct routine_row *find_routine(const char *name)
{
    struct suggestion suggestion = suggest_for(name);
    enum routine routine;

    if (routine_find(name, &routine)) {
        if (routine_is_native(&routine_rows[routine])) {
            fprintf(stderr,
                "ntpmu: only a driver that is machine code can call '%s'\n"
                "       docs/drivers.md says how to test one\n",
                visible_name(name));
            return NULL;
        }
        return &routine_rows[routine];
    }
    fprintf(stderr, "ntpmu: unknown routine '%s'\n", visible_name(name));
    for (size_t i = 0; i < ROUTINE_COUNT; i++) {
        suggest_offer(&suggestion, routine_rows[i].name);
    }
    if (suggestion.nearest != NULL) {
        fprintf(stderr, "       did you mean '%s'?\n", suggestion.nearest);
    } else {
        fprintf(stderr, "       see: ntpmu explain routines\n");
    }
    return NULL;
}

static enum exit_code make(struct trial *trial, const struct options *options,
    const struct routine_row *routine)
{
    bool made;

    if (!session_open(&trial->session, trial->requirements)) {
        session_say_refused(stderr);
        return EXIT_INTERNAL;
    }
    trial->session.budget = options->budget;
    if (routine != NULL) {
        made = make_call(trial, options, routine);
    } else {
        made = read_text(trial, new_scenario_example(trial->context,
                                    options->path[0], options->title));
    }
    made = made && run_text(trial, stderr);
    session_close(&trial->session);
    return made ? new_file_write(options->output, trial->text) : EXIT_INTERNAL;
}

enum exit_code command_new(const struct options *options)
{
    struct trial trial = {.context = talloc_new(NULL)};
    const struct routine_row *routine =
        options->call == NULL ? NULL : find_routine(options->call);
    enum exit_code code = EXIT_USAGE;

    if (options->path_count > 1) {
        fprintf(stderr, "ntpmu: new takes one id, not '%s' too\n",
            visible_name(options->path[1]));
    } else if (!outline_is_id(options->path[0])) {
        fprintf(stderr,
            "ntpmu: '%s' is not an id\n       lower-case letters, digits, _ "
            "and dots\n",
            visible_name(options->path[0]));
    } else if (options->call == NULL || routine != NULL) {
        trial.requirements = requirements_built_in(trial.context);
        code = make(&trial, options, routine);
    }
    talloc_free(trial.context);
    return code;
}
