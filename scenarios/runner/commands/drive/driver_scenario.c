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

static char *scenario_text(const struct driver_scenario *made,
    const struct options *options, uint64_t cycles)
{
    char *text = NULL, *copy;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert(out != NULL);
    fprintf(out,
        "ntpmu: 1\n"
        "id: drive\n"
        "title: A driver is started and unloaded\n"
        "machine: {os: %s, cpus: %s",
        options->os == NULL ? "WIN11" : options->os,
        options->cpus == NULL ? "4" : options->cpus);
    print_msrs(&options->msr, out);
    fputs("}\ndriver: {image: ", out);
    yaml_out_quoted(made->name, out);
    fputs("}\n"
          "steps:\n"
          "  - {driver: load, expect: {status: STATUS_SUCCESS}}\n",
        out);
    if (cycles != 0) {
        fprintf(out, "  - advance: {cycles: %" PRIu64 "}\n", cycles);
    }
    fputs("  - {driver: unload, expect: {status: STATUS_SUCCESS}}\n", out);
    fclose(out);
    copy = talloc_strdup(made->context, text);
    assert(copy != NULL);
    free(text);
    return copy;
}

/* Makes the instance; what the options' readers let pass and is wrong is said
 * in the words of the language. */
static bool make_instance(struct driver_scenario *made,
    const struct options *options, uint64_t cycles)
{
    static const struct requirements none;
    char *text = scenario_text(made, options, cycles);
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
    const char *path, const struct options *options, uint64_t cycles)
{
    *made = (struct driver_scenario){
        .path = path,
        .name = base_name(path),
        .context = talloc_new(NULL),
        .unload = cycles == 0 ? "2" : "3",
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
    return is_readable(made) && make_instance(made, options, cycles)
               ? EXIT_OK
               : EXIT_USAGE;
}

void driver_scenario_close(struct driver_scenario *made)
{
    if (made->reserved) {
        session_close(&made->session);
    }
    talloc_free(made->context);
}

void driver_scenario_print(const struct driver_scenario *made,
    const struct failure *failure, FILE *out)
{
    fprintf(out, "  %s%s\n",
        strcmp(failure->step, "1") == 0            ? "start: "
        : strcmp(failure->step, made->unload) == 0 ? "unload: "
                                                   : "",
        failure->message);
    if (failure->call != NULL) {
        fprintf(out, "    = call: %s\n", failure->call);
    }
}
