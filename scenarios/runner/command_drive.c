/* command_drive.c - ntpmu drive: each driver's image that is named is loaded,
 * started and unloaded, and what it did is shown. The two steps that every
 * driver has are a scenario of our own. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands.h"
#include "scenarios/runner/crash_report.h"
#include "scenarios/runner/driver_files.h"
#include "scenarios/runner/native_instance.h"
#include "scenarios/runner/report.h"
#include "scenarios/runner/scenario_file.h"

/* What is being driven. */
struct drive {
    const char *path, *name;
    struct session session;
    struct instance instance;
    void *context; /* memory */
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* A word of the language, which a name or number of the options has to be. */
static bool is_word(const char *option, const char *text)
{
    if (text == NULL ||
        (text[0] != '\0' && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "abcdefghijklmnopqrstuvwxyz"
                                         "0123456789_") == strlen(text))) {
        return true;
    }
    fprintf(stderr, "ntpmu: %s takes one word, not '%s'\n", option, text);
    return false;
}

/* The text between double quotes. */
static char *quoted(void *context, const char *text)
{
    char *out = talloc_strdup(context, "");

    for (; *text != '\0'; text++) {
        out = talloc_asprintf_append(
            out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    }
    return out;
}

static char *scenario_text(
    const struct drive *drive, const struct options *options)
{
    return talloc_asprintf(drive->context,
        "ntpmu: 1\n"
        "id: drive\n"
        "title: A driver is started and unloaded\n"
        "machine: {os: %s, cpus: %s}\n"
        "driver: {image: \"%s\"}\n"
        "steps:\n"
        "  - {driver: load, expect: {status: STATUS_SUCCESS}}\n"
        "  - {driver: unload, expect: {status: STATUS_SUCCESS}}\n",
        options->os == NULL ? "WIN11" : options->os,
        options->cpus == NULL ? "4" : options->cpus,
        quoted(drive->context, drive->name));
}

/* Makes the instance; what is wrong with the options is said in the words of
 * the language. */
static bool make_instance(struct drive *drive, const struct options *options)
{
    static const struct requirements none;
    char *text = scenario_text(drive, options);
    struct source *source =
        source_from_text(drive->context, "drive", text, strlen(text));
    struct diagnostics *diagnostics = diagnostics_new(drive->context);
    struct library *library = library_new(drive->context, &none, diagnostics);
    struct outline *outline;

    library->no_files = true;
    if (scenario_file_check(drive->context, source, library, &outline) !=
        FILE_SCENARIO) {
        diagnostics_print(diagnostics, stderr);
        return false;
    }
    assert(outline->instances.count == 1);
    drive->instance =
        instance_open(drive->context, &outline->instances.item[0]);
    drive->session.requirements = &none;
    return true;
}

static bool is_leak(const struct failure *failure)
{
    return strstr(failure->message, "rule leak.") != NULL ||
           strstr(failure->message, "rule pool.leak") != NULL;
}

/* The failures that are leaks, or those that are none. */
static void print_failures(
    const struct verdict *verdict, bool leaks, const char *title)
{
    bool any = false;

    printf("%s:\n", title);
    for (size_t i = 0; i < verdict->failure_count; i++) {
        const struct failure *failure = &verdict->failure[i];

        if (is_leak(failure) == leaks) {
            printf("  %s%s\n",
                strcmp(failure->step, "1") == 0   ? "start: "
                : strcmp(failure->step, "2") == 0 ? "unload: "
                                                  : "",
                failure->message);
            if (failure->call != NULL) {
                printf("    = call: %s\n", failure->call);
            }
            any = true;
        }
    }
    if (!any) {
        printf("  none\n");
    }
}

/* The trace from where the driver comes in; what was before is the kernel's
 * own start. */
static void print_trace(const char *text)
{
    bool began = false;

    printf("calls:\n");
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        began |= memmem(text, length, " driver_call ", 13) != NULL;
        if (began) {
            printf("  %.*s\n", (int)length, text);
        }
        text += length + (text[length] == '\n');
    }
    if (!began) {
        printf("  none\n");
    }
}

static enum exit_code drive_one(
    struct drive *drive, const struct options *options)
{
    struct verdict *verdict;
    enum exit_code code = EXIT_FAILED;
    char *text = NULL;
    size_t length = 0;
    FILE *trace = open_memstream(&text, &length);

    assert(trace != NULL);
    crash_report_running(drive->path);
    verdict = native_instance_run(drive->context, &drive->session,
        &drive->instance, options->timeout_us, trace);
    crash_report_running(NULL);
    fclose(trace);
    printf("%s: %s\n", drive->path, report_result_name(verdict->result));
    print_trace(text);
    free(text);
    print_failures(verdict, false, "broken rules and failures");
    print_failures(verdict, true, "leaks");
    if (verdict->result == RESULT_PASS) {
        code = EXIT_OK;
    } else if (verdict->result == RESULT_INTERNAL) {
        code = EXIT_INTERNAL;
    }
    return code;
}

static bool is_readable(const struct drive *drive)
{
    const struct driver_file *file =
        driver_files_find(drive->session.drivers, drive->name);

    if (file == NULL || file->error != NULL) {
        fprintf(stderr, "ntpmu: cannot read '%s': %s\n", drive->path,
            file == NULL ? "not a file" : file->error);
        return false;
    }
    return true;
}

static enum exit_code drive_path(
    const char *path, const struct options *options)
{
    struct drive drive = {
        .path = path, .name = base_name(path), .context = talloc_new(NULL)};
    enum exit_code code = EXIT_USAGE;

    assert(drive.context != NULL);
    if (!session_open(&drive.session, NULL)) {
        fprintf(stderr, "ntpmu: the host gives no address space\n");
        talloc_free(drive.context);
        return EXIT_INTERNAL;
    }
    drive.session.budget = options->budget;
    drive.session.keep_going = true;
    drive.session.drivers = driver_files_new(drive.context, &drive.path, 1);
    if (is_readable(&drive) && is_word("--os", options->os) &&
        is_word("--cpus", options->cpus) && make_instance(&drive, options)) {
        code = drive_one(&drive, options);
    }
    session_close(&drive.session);
    talloc_free(drive.context);
    return code;
}

enum exit_code command_drive(const struct options *options)
{
    enum exit_code worst = EXIT_OK;

    for (size_t i = 0; i < options->path_count; i++) {
        enum exit_code code = drive_path(options->path[i], options);

        if (worst == EXIT_OK || code == EXIT_INTERNAL) {
            worst = code == EXIT_OK ? worst : code;
        }
    }
    return worst;
}
