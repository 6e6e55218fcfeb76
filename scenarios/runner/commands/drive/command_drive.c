/* command_drive.c - ntpmu drive: each driver's image that is named is loaded,
 * started and unloaded, and what it did is shown. The two steps that every
 * driver has are a scenario of our own. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/drive/driven.h"
#include "scenarios/runner/commands/drive/driver_scenario.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/native_instance.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/visible_text.h"

static bool is_leak(const struct failure *failure)
{
    return strstr(failure->message, "rule leak.") != NULL ||
           strstr(failure->message, "rule pool.leak") != NULL;
}

/* The failures that are leaks, or those that are none, as lines; child of the
 * drive's context. */
static const char *failures_text(const struct driver_scenario *drive,
    const struct verdict *verdict, bool leaks)
{
    char *text = NULL, *copy;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert(out != NULL);
    for (size_t i = 0; i < verdict->failure_count; i++) {
        const struct failure *failure = &verdict->failure[i];

        if (is_leak(failure) == leaks) {
            driver_scenario_print(drive, failure, out);
        }
    }
    fclose(out);
    copy = talloc_strdup(drive->context, text);
    assert(copy != NULL);
    free(text);
    return copy;
}

static void print_failures(const struct driver_scenario *drive,
    const struct verdict *verdict, struct driven *driven)
{
    const char *broken = failures_text(drive, verdict, false);
    const char *leaks = failures_text(drive, verdict, true);

    printf("broken rules and failures:\n%s"
           "leaks:\n%s",
        broken[0] == '\0' ? "  none\n" : broken,
        leaks[0] == '\0' ? "  none\n" : leaks);
    driven_add(driven, drive->path, verdict->result,
        talloc_asprintf(drive->context, "%s%s", broken, leaks));
}

/* All that the image imports and nobody models. */
static void print_missing(const struct verdict_missing *missing)
{
    if (missing->count == 0) {
        return;
    }
    printf("imports that are not modelled: %zu, of which %zu never reached\n",
        missing->count, missing->count - missing->reached);
    for (size_t i = 0; i < missing->count; i++) {
        printf("  %s\n", missing->name[i]);
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

static enum exit_code drive_one(struct driver_scenario *drive,
    const struct options *options, struct driven *driven)
{
    struct verdict *verdict;
    enum exit_code code = EXIT_FAILED;
    char *text = NULL;
    size_t length = 0;
    FILE *trace = open_memstream(&text, &length);

    assert(trace != NULL);
    crash_report_running(visible_text(drive->context, drive->path));
    verdict = native_instance_run(drive->context, &drive->session,
        &drive->instance, options->timeout_us, trace);
    crash_report_running(NULL);
    fclose(trace);
    printf("%s: %s\n", visible_name(drive->path),
        verdict_result_name(verdict->result));
    print_trace(text);
    free(text);
    print_missing(&verdict->missing);
    print_failures(drive, verdict, driven);
    if (verdict->result == RESULT_PASS) {
        code = EXIT_OK;
    } else if (verdict->result == RESULT_INTERNAL) {
        code = EXIT_INTERNAL;
    }
    return code;
}

static enum exit_code drive_path(
    const char *path, const struct options *options, struct driven *driven)
{
    struct driver_scenario drive;
    enum exit_code code = driver_scenario_open(&drive, path, options, 0);

    if (code == EXIT_OK) {
        code = drive_one(&drive, options, driven);
    }
    driver_scenario_close(&drive);
    return code;
}

enum exit_code command_drive(const struct options *options)
{
    enum exit_code worst = EXIT_OK;
    struct driven *driven = driven_new(NULL, options->path_count);

    interruption_defer();
    for (size_t i = 0; i < options->path_count; i++) {
        enum exit_code code = drive_path(options->path[i], options, driven);

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
