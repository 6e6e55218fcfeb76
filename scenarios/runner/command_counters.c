/* command_counters.c - ntpmu counters PATH: a scenario or a driver runs, a
 * consumer samples its counter sets, and what it saw is shown. */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <talloc.h>

#include "api/profile.h"
#include "api/suggest.h"
#include "scenarios/runner/commands.h"
#include "scenarios/runner/counter_lines.h"
#include "scenarios/runner/driver_files.h"
#include "scenarios/runner/driver_scenario.h"
#include "scenarios/runner/job.h"
#include "scenarios/runner/judge.h"
#include "scenarios/runner/native_instance.h"
#include "scenarios/runner/report.h"
#include "scenarios/runner/run_totals.h"
#include "scenarios/runner/selection.h"
#include "scenarios/runner/verdict.h"
#include "scenarios/runner/wide_text.h"
#include "sim/limits.h"

enum { DRIVER_SAMPLES = 10 };

/* What is shown. */
struct show {
    void *context; /* memory */
    const struct options *options;
    struct counter_manifests manifests;
    struct sampling sampling;
    uint64_t mhz; /* of the machine */
};

/* Of several the first of 2 4 3 5 1 counts, then what says that nothing ran. */
static enum exit_code worse(enum exit_code one, enum exit_code other)
{
    static const enum exit_code order[] = {EXIT_USAGE, EXIT_INTERNAL,
        EXIT_INVALID, EXIT_NOTHING, EXIT_FAILED, EXIT_SKIPPED};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        if (one == order[i] || other == order[i]) {
            return order[i];
        }
    }
    return EXIT_OK;
}

static bool is_name_of(void *context, const char *asked, const char *name)
{
    return pcw_text_equal(wide_text(context, asked), wide_text(context, name));
}

/* Adds what the scenario knows, and calls each set that was asked for by the
 * name that it is registered with, where a manifest has its symbol. */
static bool describe(struct show *show, const struct scenario *scenario)
{
    const struct option_list *asked = &show->options->counterset;
    const char **name =
        talloc_array(show->context, const char *, (unsigned)asked->count + 1);

    assert(name != NULL);
    if (!counter_manifests_add(
            &show->manifests, show->context, scenario, stderr)) {
        return false;
    }
    for (size_t i = 0; i < asked->count; i++) {
        name[i] = counter_manifests_name(&show->manifests, asked->item[i]);
    }
    show->sampling.set = name;
    show->sampling.set_count = asked->count;
    return true;
}

/* Each set that was asked for has to have been there. */
static bool check_sets(struct show *show, const struct samples *samples)
{
    const struct option_list *asked = &show->options->counterset;
    bool all = true;

    for (size_t i = 0; i < asked->count; i++) {
        struct suggestion suggestion = suggest_for(asked->item[i]);
        bool there = false;

        for (size_t k = 0; k < samples->appeared_count; k++) {
            suggest_offer(&suggestion, samples->appeared[k]);
            there |= is_name_of(
                show->context, show->sampling.set[i], samples->appeared[k]);
        }
        if (there) {
            continue;
        }
        all = false;
        fprintf(
            stderr, "ntpmu: no counter set '%s' appeared\n", asked->item[i]);
        if (suggestion.nearest != NULL) {
            fprintf(stderr, "       did you mean '%s'?\n", suggestion.nearest);
        } else if (suggestion.count <= SUGGEST_LISTED) {
            for (size_t k = 0; k < suggestion.count; k++) {
                fprintf(stderr, "%s'%s'", k == 0 ? "       there was " : ", ",
                    suggestion.offered[k]);
            }
            fputc('\n', stderr);
        }
    }
    return all;
}

static bool is_wanted(struct show *show, const char *name)
{
    bool wanted = show->sampling.set_count == 0;

    for (size_t i = 0; i < show->sampling.set_count && !wanted; i++) {
        wanted = is_name_of(show->context, show->sampling.set[i], name);
    }
    return wanted;
}

/* Of sets that were asked for and never came check_sets() tells. */
static void say_why_nothing(
    struct show *show, const struct samples *samples, const char *what)
{
    const char *before = "ntpmu: no counter set had an instance with counters:";

    if (samples->appeared_count == 0) {
        fprintf(stderr,
            "ntpmu: no counter set appeared while '%s' ran\n"
            "       a driver publishes one with PcwRegister; those of a "
            "silo are not seen\n",
            what);
        return;
    }
    for (size_t i = 0; i < samples->appeared_count; i++) {
        if (is_wanted(show, samples->appeared[i])) {
            fprintf(stderr, "%s '%s'", before, samples->appeared[i]);
            before = ",";
        }
    }
    fputs(before[0] == ',' ? "\n" : "", stderr);
}

static bool print_lines(
    const struct show *show, const struct counter_lines *lines)
{
    static void (*const prints[])(const struct counter_lines *, FILE *) = {
        [FORMAT_TEXT] = counter_lines_print_table,
        [FORMAT_CSV] = counter_lines_print_csv,
        [FORMAT_JSON] = counter_lines_print_json,
    };

    prints[show->options->format](lines, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "ntpmu: cannot write to standard output: %s\n",
            strerror(errno));
        return false;
    }
    return true;
}

static enum exit_code show_samples(
    struct show *show, const struct samples *samples, const char *what)
{
    const struct counter_lines *lines = counter_lines_make(show->context,
        samples, &show->manifests, show->mhz, show->options->all);
    enum exit_code code = EXIT_OK;

    for (size_t i = 0; i < samples->note_count; i++) {
        fprintf(stderr, "ntpmu: note: %s\n", samples->note[i]);
    }
    for (size_t i = 0; i < lines->note_count; i++) {
        fprintf(stderr, "ntpmu: note: %s\n", lines->note[i]);
    }
    if (lines->count > 0) {
        code = print_lines(show, lines) ? EXIT_OK : EXIT_INTERNAL;
    } else if (lines->hidden > 0) {
        fprintf(stderr, "ntpmu: all counters are bases or not for display\n"
                        "       --all shows them\n");
        code = EXIT_NOTHING;
    } else {
        say_why_nothing(show, samples, what);
        code = EXIT_NOTHING;
    }
    if (samples->appeared_count > 0 &&
        (!check_sets(show, samples) ||
            !counter_manifests_check_use(&show->manifests, stderr))) {
        code = worse(code, EXIT_NOTHING);
    }
    return code;
}

static enum exit_code judge(enum result result)
{
    struct report_totals totals = {.count = {0}};

    totals.count[result]++;
    return run_totals_judge(&totals);
}

/* One that did not run, or did not come back, has shown nothing; neither has
 * one that failed too early, whose failure says enough. */
static enum exit_code show_verdict(
    struct show *show, const struct verdict *verdict, const char *what)
{
    const struct samples *samples = verdict->samples;
    enum exit_code code = judge(verdict->result);

    if (verdict->result == RESULT_SKIP) {
        return code;
    }
    if (samples == NULL ||
        (samples->count == 0 && verdict_result_failed(verdict->result))) {
        fprintf(stderr, "ntpmu: it failed before a sample was complete\n");
        return code;
    }
    return worse(code, show_samples(show, samples, what));
}

static void print_driver_verdict(
    const struct driver_scenario *driver, const struct verdict *verdict)
{
    fprintf(
        stderr, "%s: %s\n", driver->path, report_result_name(verdict->result));
    for (size_t i = 0; i < verdict->failure_count; i++) {
        driver_scenario_print(driver, &verdict->failure[i], stderr);
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

static enum exit_code sample_driver(struct show *show)
{
    const struct options *options = show->options;
    struct driver_scenario driver;
    enum exit_code code;

    if (needless(options) != NULL) {
        fprintf(stderr, "ntpmu: %s is for a scenario, and '%s' is an image\n",
            needless(options), options->path[0]);
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
    code = driver_scenario_open(&driver, options->path[0], options,
        show->sampling.most * show->sampling.every_us * show->mhz);
    if (code == EXIT_OK && !describe(show, driver.instance.scenario)) {
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK) {
        struct verdict *verdict;

        driver.session.sampling = &show->sampling;
        driver.session.machine.trace.off = true;
        verdict = native_instance_run(show->context, &driver.session,
            &driver.instance, options->timeout_us, NULL);
        code = show_verdict(show, verdict, options->path[0]);
        print_driver_verdict(&driver, verdict);
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
    const struct job job = {options, drivers, suite->requirements};
    struct session session;
    struct verdict *verdict;
    enum exit_code code;

    if (driver_files_missing(drivers) != NULL) {
        fprintf(stderr, "ntpmu: cannot read '%s': %s\n",
            driver_files_missing(drivers), strerror(errno));
        return EXIT_USAGE;
    }
    if (!describe(show, opened.scenario)) {
        return EXIT_USAGE;
    }
    if (!job_open_session(&job, &session)) {
        fprintf(stderr, "ntpmu: the host gives no address space\n");
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
    fprintf(
        stderr, "%s: %s\n", instance->id, report_result_name(verdict->result));
    session_close(&session);
    return code;
}

static enum exit_code sample_scenario(struct show *show)
{
    const struct options *options = show->options;
    struct suite *suite;
    enum exit_code code;

    if (options->os != NULL || options->cpus != NULL) {
        fprintf(stderr,
            "ntpmu: %s is for an image; a scenario says that by itself\n",
            options->os != NULL ? "--os" : "--cpus");
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
    if (code != EXIT_OK) {
        return code;
    }
    return image ? sample_driver(show) : sample_scenario(show);
}

enum exit_code command_counters(const struct options *options)
{
    struct show show = {
        .context = talloc_new(NULL),
        .options = options,
        .sampling = {.every_us = options->every_us, .most = options->samples},
    };
    enum exit_code code;

    assert(show.context != NULL);
    code = run_show(&show);
    talloc_free(show.context);
    return code;
}
