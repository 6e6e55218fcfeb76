/* option_counters.c - the values of options of ntpmu counters. */
#include <string.h>

#include "api/text/utf8.h"
#include "scenarios/runner/command_line/option_reading.h"
#include "scenarios/runner/command_line/option_values.h"

enum {
    EVERY_MS = 1000000,
    SAMPLES_MOST = 1000000,
};

/* Milliseconds, with up to three decimals. */
bool option_every(struct options *options, const char *value, FILE *errors)
{
    if (!option_read_decimal(value, 3, EVERY_MS, &options->every_us)) {
        return option_fail(errors,
            "not a number of milliseconds up to 1000000, with up to three "
            "decimals:",
            value);
    }
    return options->every_us > 0 ||
           option_fail(errors, "no time at all between samples:", value);
}

bool option_samples(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->samples = option_read_count(value, SAMPLES_MOST, &end);
    return (options->samples != 0 && *end == '\0') ||
           option_fail(
               errors, "not a number of samples from 1 to 1000000:", value);
}

/* A name that no counter set can have is refused: UTF-16 has no way to say it.
 */
bool option_counterset(struct options *options, const char *value, FILE *errors)
{
    if (!utf8_is_valid(value, strlen(value))) {
        return option_fail(
            errors, "a counter set's name is UTF-8, unlike", value);
    }
    if (value[0] == '\0') {
        return option_fail(errors, "a counter set has a name, unlike", value);
    }
    return option_append(&options->counterset, value,
        "too many counter sets; no room for", errors);
}

bool option_instance(struct options *options, const char *value, FILE *errors)
{
    if (!utf8_is_valid(value, strlen(value))) {
        return option_fail(
            errors, "an instance's name is UTF-8, unlike", value);
    }
    return option_append(
        &options->instance, value, "too many instances; no room for", errors);
}

bool option_manifest(struct options *options, const char *value, FILE *errors)
{
    return option_append(
        &options->manifest, value, "too many manifests; no room for", errors);
}

bool option_all(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->all = true;
    return true;
}

/* What kind of file it is says the end of its name. */
bool option_plot(struct options *options, const char *value, FILE *errors)
{
    static const char *const ends[] = {
        [PLOT_NONE] = NULL, [PLOT_SVG] = ".svg", [PLOT_HTML] = ".html"};
    size_t length = strlen(value);

    for (unsigned i = PLOT_NONE + 1; i < sizeof(ends) / sizeof(ends[0]); i++) {
        size_t end = strlen(ends[i]);

        if (length > end && strcmp(value + length - end, ends[i]) == 0) {
            options->plot = value;
            options->plot_kind = (enum plot_kind)i;
            return true;
        }
    }
    return option_fail(
        errors, "a chart is a FILE.svg or a FILE.html, not", value);
}

bool option_allow_widths(
    struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->allow_widths = true;
    return true;
}

bool option_live(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->live = true;
    return true;
}
