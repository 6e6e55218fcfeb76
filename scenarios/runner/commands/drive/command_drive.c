/* command_drive.c - ntpmu drive: each driver's image that is named is loaded,
 * started, asked and unloaded, and what it did is shown; or what it came to on
 * each Windows. */
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/profile.h"
#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/drive/code_hints.h"
#include "scenarios/runner/commands/drive/drive_run.h"
#include "scenarios/runner/commands/drive/driven.h"
#include "scenarios/runner/commands/drive/os_table.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/text/visible_text.h"

static void print_part(const char *title, const char *lines)
{
    printf("%s:\n%s", title, lines[0] == '\0' ? "  none\n" : lines);
}

static void print_failures(const struct drive_run *run, struct driven *driven)
{
    print_part("broken rules and failures", run->broken);
    print_part("leaks", run->leaks);
    print_part("memory integrity", run->integrity);
    driven_add(driven, run->made.path, run->result,
        talloc_asprintf(run->made.context, "%s%s%s", run->broken, run->leaks,
            run->integrity));
}

/* Whole lines of a trace. */
static void print_lines(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        printf("  %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_missing(const struct drive_run *run)
{
    if (run->missing != NULL) {
        printf("%s\n%s", run->missing, run->missing_names);
    }
}

/* The trace from where the driver comes in; what was before is the kernel's
 * own start. */
static void print_trace(const char *text)
{
    const char *call = strstr(text, " driver_call ");

    printf("calls:\n");
    if (call == NULL) {
        printf("  none\n");
        return;
    }
    while (call > text && call[-1] != '\n') {
        call--;
    }
    print_lines(call);
}

/* Of a driver that has registered for a shutdown: what it does in one. */
static void print_shutdown(const struct drive_run *run)
{
    if (run->shutdown_verdict == NULL) {
        return;
    }
    printf("calls at a shutdown, in place of the unload:\n");
    if (run->shutdown.told == 0) {
        printf("  none: it is not registered any more\n");
    }
    print_lines(run->shutdown.calls);
}

/* What --ioctl might ask for; nothing where the image knows no code. */
static void print_hints(const struct drive_run *run)
{
    static struct control_code code[CONTROL_CODES_MAX];
    const struct driver_file *file =
        driver_files_find(run->made.session.drivers, run->made.name);
    size_t count = code_hints_find(file, code);

    if (count > 0) {
        printf("control codes that its machine code compares with:\n");
    }
    for (size_t i = 0; i < count; i++) {
        printf("  0x%" PRIX32 " in %s\n", code[i].code,
            visible_name(code[i].function));
    }
}

static enum exit_code code_of(enum result result)
{
    return result == RESULT_PASS       ? EXIT_OK
           : result == RESULT_INTERNAL ? EXIT_INTERNAL
                                       : EXIT_FAILED;
}

static enum exit_code drive_one(
    const char *path, const struct options *options, struct driven *driven)
{
    struct drive_run run;
    enum exit_code code = drive_run(&run, path, NULL, options);

    if (code == EXIT_OK) {
        printf("%s: %s\n", visible_name(path), verdict_result_name(run.result));
        print_trace(run.trace);
        print_shutdown(&run);
        drive_plan_print(run.plan, stdout);
        print_hints(&run);
        print_missing(&run);
        print_failures(&run, driven);
        code = code_of(run.result);
        if (options->output != NULL) {
            enum exit_code written = drive_run_write(&run, options);

            code = written == EXIT_OK ? code : written;
        }
    }
    drive_run_end(&run);
    return code;
}

static enum exit_code drive_on_all(
    const char *path, const struct options *options, struct driven *driven)
{
    struct os_table *table = os_table_new(NULL, path);
    enum exit_code worst = EXIT_OK;

    for (unsigned i = 0; i < OS_COUNT && interruption_noted() == 0; i++) {
        struct drive_run run;
        enum exit_code code = drive_run(&run, path, os_rows[i].name, options);

        if (code == EXIT_OK) {
            os_table_add(table, os_rows[i].name, &run);
            code = code_of(run.result);
        } else {
            i = OS_COUNT; /* it is said, and so on the next one */
        }
        worst = worst == EXIT_OK || code == EXIT_INTERNAL ? code : worst;
        drive_run_end(&run);
    }
    if (worst != EXIT_USAGE) {
        os_table_print(table, stdout);
        driven_add(
            driven, path, worst == EXIT_OK ? RESULT_PASS : RESULT_FAIL, "");
    }
    talloc_free(table);
    return worst;
}

/* What goes with one image on one Windows only. */
static bool is_alone(const struct options *options)
{
    const char *option = options->output != NULL ? "-o"
                         : options->gdb          ? "--gdb"
                                                 : NULL;

    if (option != NULL && (options->os_all || options->path_count > 1)) {
        fprintf(stderr, "ntpmu: %s is for one image on one Windows\n", option);
        return false;
    }
    return true;
}

enum exit_code command_drive(const struct options *options)
{
    enum exit_code worst = EXIT_OK;
    struct driven *driven = driven_new(NULL, options->path_count);

    if (!is_alone(options)) {
        talloc_free(driven);
        return EXIT_USAGE;
    }
    interruption_defer();
    for (size_t i = 0; i < options->path_count; i++) {
        enum exit_code code =
            options->os_all ? drive_on_all(options->path[i], options, driven)
                            : drive_one(options->path[i], options, driven);

        if (worst == EXIT_OK || code == EXIT_INTERNAL) {
            worst = code == EXIT_OK ? worst : code;
        }
        if (interruption_noted() != 0) {
            fprintf(stderr,
                "ntpmu: interrupted by SIG%s: images not driven: %zu\n",
                interruption_name(), options->path_count - i - 1);
            break;
        }
    }
    driven_print(driven, stdout);
    talloc_free(driven);
    return worst;
}
