/* command_counters.c - ntpmu counters PATH: a scenario or a driver runs, a
 * consumer samples its counter sets, and what it saw is shown. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/profile.h"
#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/command_line/options_run.h"
#include "scenarios/runner/commands/counters/show_samples.h"
#include "scenarios/runner/commands/drive/driver_scenario.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/judge.h"
#include "scenarios/runner/run/native_instance.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/selection/selection.h"
#include "scenarios/runner/text/visible_text.h"
#include "sim/base/limits.h"

enum { DRIVER_SAMPLES = 10 };

static void print_driver_verdict(const struct driver_scenario *driver,
    const struct verdict *verdict, enum exit_code code)
{
    show_end(driver->path, verdict, code);
    for (size_t i = 0; i < verdict->failure_count; i++) {
        driver_scenario_print(driver, &verdict->failure[i], "unload", stderr);
    }
}

/* What a scenario decides for itself. */
static const char *needless(const struct options *options)
{
    return options->id.count > 0        ? "--id"
           : options->given.count > 0   ? "-D"
           : options->allowed.count > 0 ? "--allow-driver"
                                        : NULL;
}

/* It is loaded, time passes, and it is unloaded. */
static bool make_scenario(
    struct driver_scenario *driver, const struct show *show)
{
    const struct driver_scenario_head head = {
        .comment = "",
        .id = "drive",
        .title = "A driver is started and unloaded",
    };
    const char *step = talloc_asprintf(driver->context,
        "  - {advance: {cycles: %" PRIu64 "}}\n",
        show->sampling.most * show->sampling.every_us * show->mhz);

    assert(step != NULL);
    driver->steps = 3;
    return driver_scenario_make(
        driver, driver_scenario_text(driver, show->options, &head, step));
}

static enum exit_code sample_driver(struct show *show)
{
    const struct options *options = show->options;
    struct driver_scenario driver;
    enum exit_code code;

    if (needless(options) != NULL) {
        fprintf(stderr, "ntpmu: %s is for a scenario, and '%s' is an image\n",
            needless(options), visible_name(options->path[0]));
        return EXIT_USAGE;
    }
    if (show->sampling.most == 0) {
        show->sampling.most = DRIVER_SAMPLES;
    }
    show->mhz = pmu_models[arch_rows[ARCH_X64].model].mhz;
    if (show->sampling.most * show->sampling.every_us * show->mhz >
        LIMIT_SEGMENT_CYCLES) {
        fprintf(stderr, "ntpmu: the samples take more than 2^48 cycles\n"
                        "       fewer --samples or less --every\n");
        return EXIT_USAGE;
    }
    code = driver_scenario_open(&driver, options->path[0], options);
    if (code == EXIT_OK &&
        (!make_scenario(&driver, show) ||
            !show_describe(show, driver.instance.scenario))) {
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK) {
        struct verdict *verdict;

        driver.session.sampling = &show->sampling;
        driver.session.machine.trace.off = true;
        verdict = native_instance_run(show->context, &driver.session,
            &driver.instance, options->timeout_us, NULL);
        code = show_verdict(show, verdict, options->path[0]);
        print_driver_verdict(&driver, verdict, code);
    }
    driver_scenario_close(&driver);
    return code;
}

static enum exit_code sample_instance(
    struct show *show, const struct suite *suite)
{
    const struct options *options = show->options;
    const struct instance *instance = &suite->instances->item[0];
    const struct instance opened = instance_open(show->context, instance);
    struct driver_files *drivers = driver_files_new(
        show->context, options->allowed.item, options->allowed.count);
    const struct job job = {.settings = options_run(options),
        .drivers = drivers,
        .requirements = suite->requirements};
    struct session session;
    struct verdict *verdict;
    enum exit_code code;

    if (driver_files_missing(drivers) != NULL) {
        fprintf(stderr, "ntpmu: cannot read '%s': %s\n",
            driver_files_missing(drivers), strerror(errno));
        return EXIT_USAGE;
    }
    if (!show_describe(show, opened.scenario)) {
        return EXIT_USAGE;
    }
    if (!job_open_session(&job, &session)) {
        session_say_refused(stderr);
        return EXIT_INTERNAL;
    }
    show->mhz = opened.scenario->machine.pmu.mhz;
    session.sampling = &show->sampling;
    verdict = job_run(show->context, &job, &session, instance, NULL);
    judge_expected(instance, verdict);
    code = show_verdict(show, verdict, instance->id);
    if (verdict->result != RESULT_XFAIL) {
        report_failures(&session, instance, verdict, stderr);
    }
    show_end(instance->id, verdict, code);
    session_close(&session);
    return code;
}

/* What chooses the machine of an image. */
static const char *of_an_image(const struct options *options)
{
    return options->os != NULL      ? "--os"
           : options->cpus != NULL  ? "--cpus"
           : options->msr.count > 0 ? "--msr"
                                    : NULL;
}

static enum exit_code sample_scenario(struct show *show)
{
    const struct options *options = show->options;
    struct suite *suite;
    enum exit_code code;

    if (of_an_image(options) != NULL) {
        fprintf(stderr,
            "ntpmu: %s is for an image; a scenario says that by itself\n",
            of_an_image(options));
        return EXIT_USAGE;
    }
    suite = selection_read(show->context, options);
    code = selection_apply_one(suite, options, stderr);
    return code == EXIT_OK ? sample_instance(show, suite) : code;
}

static bool is_image(const char *path)
{
    size_t length = strlen(path);

    return length > 4 && strcmp(path + length - 4, ".sys") == 0;
}

static enum exit_code run_show(struct show *show)
{
    const struct options *options = show->options;
    enum exit_code code = counter_manifests_read(
        &show->manifests, show->context, options, stderr);
    bool image = false;

    for (size_t i = 0; i < options->path_count; i++) {
        image |= is_image(options->path[i]);
    }
    if (image && options->path_count > 1) {
        fprintf(stderr, "ntpmu: an image is sampled by itself\n"
                        "       name one file that ends in .sys\n");
        return EXIT_USAGE;
    }
    if (options->live && options->format != FORMAT_TEXT) {
        fprintf(stderr, "ntpmu: --live is a table of its own, without another "
                        "--format\n");
        return EXIT_USAGE;
    }
    if (code != EXIT_OK) {
        return code;
    }
    interruption_defer();
    return image ? sample_driver(show) : sample_scenario(show);
}

enum exit_code command_counters(const struct options *options)
{
    struct show show = {
        .context = talloc_new(NULL),
        .options = options,
        .sampling = {.argv = options->argv,
            .argc = options->argc,
            .every_us = options->every_us,
            .most = options->samples,
            .marks = options->plot != NULL},
    };
    enum exit_code code;

    assert(show.context != NULL);
    code = run_show(&show);
    talloc_free(show.context);
    return code;
}
