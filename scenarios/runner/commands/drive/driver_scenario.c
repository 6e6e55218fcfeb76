/* driver_scenario.c - the scenario of an image that ntpmu drive and ntpmu
 * counters run: it is written as text, so that all that is checked of one is
 * checked of it, too. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/drive/driver_scenario.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/text/utf8.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/yaml_out.h"

#define END_UNLOAD "  - {driver: unload, expect: {status: STATUS_SUCCESS}}\n"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* ADDRESS=VALUE and ADDRESS=VALUE,stored. */
static void print_msrs(const struct option_list *msrs, FILE *out)
{
    for (size_t i = 0; i < msrs->count; i++) {
        const char *address = msrs->item[i];
        const char *value = strchr(address, '=') + 1;
        bool stored = strchr(value, ',') != NULL;

        fprintf(out, "%s%.*s: %s%.*s%s", i == 0 ? ", msrs: {" : ", ",
            (int)(value - 1 - address), address, stored ? "{value: " : "",
            (int)strcspn(value, ","), value, stored ? ", stored: true}" : "");
    }
    fputs(msrs->count == 0 ? "" : "}", out);
}

static void print_head(const struct driver_scenario *made,
    const struct options *options, const struct driver_scenario_head *head,
    FILE *out)
{
    fprintf(out, "%sntpmu: 1\nid: %s\ntitle: ", head->comment, head->id);
    yaml_out_text(head->title, out);
    fprintf(out, "\nmachine: {os: %s, cpus: %s", made->os,
        options->cpus == NULL ? "4" : options->cpus);
    if (options->model != NULL) {
        fprintf(out, ", pmu: {model: %s}", options->model);
    }
    print_msrs(&options->msr, out);
    fputs(options->verifier ? ", verifier: true" : "", out);
    fputs("}\ndriver: {image: ", out);
    yaml_out_quoted(made->name, out);
    fprintf(out, "}\n%s%s%ssteps:\n",
        head->program ? "processes: [program]\n" : "",
        head->integrity ? "rulings: {CI-08: event}\n" : "",
        head->cases == NULL ? "" : head->cases);
}

char *driver_scenario_text(const struct driver_scenario *made,
    const struct options *options, const struct driver_scenario_head *head,
    const char *steps)
{
    char *text = NULL, *copy;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert(out != NULL);
    print_head(made, options, head, out);
    fprintf(out,
        "  - {driver: load, expect: {status: STATUS_SUCCESS}}\n"
        "%s%s",
        steps, head->end == NULL ? END_UNLOAD : head->end);
    fclose(out);
    copy = talloc_strdup(made->context, text);
    assert(copy != NULL);
    free(text);
    return copy;
}

/* The line of the first step, from 1 on. */
static size_t steps_line(const char *text)
{
    const char *steps = strstr(text, "\nsteps:\n");
    size_t line = 3;

    assert(steps != NULL);
    for (; text != steps; text++) {
        line += *text == '\n';
    }
    return line;
}

size_t driver_scenario_step(const struct driver_scenario *made, size_t line)
{
    return line < made->steps_line ? 0 : line - made->steps_line + 1;
}

bool driver_scenario_make(struct driver_scenario *made, const char *text)
{
    static const struct requirements none;
    struct source *source =
        source_from_text(made->context, "drive", text, strlen(text));
    struct diagnostics *diagnostics = diagnostics_new(made->context);
    struct library *library =
        library_new(made->context, &language_kinds, &none, diagnostics);
    struct outline *outline;

    library->no_files = true;
    if (scenario_file_check(made->context, source, library, &outline) !=
        FILE_SCENARIO) {
        diagnostics_print(diagnostics, stderr);
        return false;
    }
    assert(outline->instances.count == 1);
    made->steps_line = steps_line(text);
    made->instance = instance_open(made->context, &outline->instances.item[0]);
    made->session.requirements = &none;
    return true;
}

static bool is_readable(const struct driver_scenario *made)
{
    const struct driver_file *file =
        driver_files_find(made->session.drivers, made->name);

    if (file == NULL || file->error != NULL) {
        fprintf(stderr, "ntpmu: cannot read '%s': %s\n",
            visible_name(made->path),
            file == NULL ? "not a file" : file->error);
        return false;
    }
    if (!utf8_is_valid(made->name, strlen(made->name))) {
        fprintf(stderr, "ntpmu: the name of '%s' is no UTF-8\n",
            visible_name(made->path));
        return false;
    }
    return true;
}

enum exit_code driver_scenario_open(struct driver_scenario *made,
    const char *path, const struct options *options)
{
    *made = (struct driver_scenario){
        .path = path,
        .name = base_name(path),
        .os = options->os == NULL ? "WIN11" : options->os,
        .context = talloc_new(NULL),
    };
    assert(made->context != NULL);
    made->reserved = session_open(&made->session, NULL);
    if (!made->reserved) {
        session_say_refused(stderr);
        return EXIT_INTERNAL;
    }
    made->session.budget = options->budget;
    made->session.keep_going = true;
    made->session.strict_imports = options->strict_imports;
    made->session.drivers = driver_files_new(made->context, &made->path, 1);
    return is_readable(made) ? EXIT_OK : EXIT_USAGE;
}

void driver_scenario_close(struct driver_scenario *made)
{
    if (made->reserved) {
        session_close(&made->session);
    }
    talloc_free(made->context);
}

size_t driver_scenario_failed(const struct failure *failure)
{
    return (size_t)strtoul(failure->step, NULL, 10);
}

void driver_scenario_print(const struct driver_scenario *made,
    const struct failure *failure, const char *last, FILE *out)
{
    size_t step = driver_scenario_failed(failure);

    fprintf(out, "  ");
    if (step == 1) {
        fputs("start: ", out);
    } else if (step != 0 && step == made->steps) {
        fprintf(out, "%s: ", last);
    } else if (step != 0) {
        fprintf(out, "step %zu: ", step);
    }
    fprintf(out, "%s\n", failure->message);
    if (failure->call != NULL) {
        fprintf(out, "    = call: %s\n", failure->call);
    }
}
