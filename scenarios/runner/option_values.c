/* option_values.c - a function for each option. */
#include "scenarios/runner/option_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/suggest.h"
#include "scenarios/runner/verdict.h"

enum {
    SECOND_US = 1000000,
    TIMEOUT_SECONDS = 1000000, /* the most; a sum of it cannot overflow */
    JOBS_MOST = 256,
    REPEAT_MOST = 1000000,
    SHARDS_MOST = 1000000,
    PERCENT_MOST = 100,
    NAME_BYTES = 32, /* of a result, with its NUL */
};

static bool fail(FILE *errors, const char *what, const char *which)
{
    fprintf(errors, "ntpmu: %s '%s'\n", what, which);
    return false;
}

static bool append(struct option_list *list, const char *value,
    const char *too_many, FILE *errors)
{
    if (list->count == OPTIONS_LISTED) {
        return fail(errors, too_many, value);
    }
    list->item[list->count++] = value;
    return true;
}

/* A decimal number from 1 to `most`; *end is what follows it. 0: there is none.
 */
static uint32_t read_count(const char *text, uint32_t most, const char **end)
{
    uint64_t value = 0;

    for (*end = text; isdigit((unsigned char)**end) && value <= most;
         (*end)++) {
        value = 10 * value + (uint64_t)(**end - '0');
    }
    return value > most ? 0 : (uint32_t)value;
}

bool option_id(struct options *options, const char *value, FILE *errors)
{
    return append(&options->id, value,
        "too many ids; name files, or use --shard, instead of", errors);
}

bool option_expression(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->expression = value;
    return true;
}

bool option_given(struct options *options, const char *value, FILE *errors)
{
    const char *equals = strchr(value, '=');

    if (equals == NULL || equals == value || equals[1] == '\0') {
        return fail(errors, "-D wants NAME=VALUE, not", value);
    }
    return append(
        &options->given, value, "too many values; no room for", errors);
}

bool option_xfail(struct options *options, const char *value, FILE *errors)
{
    return append(
        &options->xfail, value, "too many lists; no room for", errors);
}

/* The name as it is on the command line. */
static const char *status_name(enum result result, char name[NAME_BYTES])
{
    static const char *const names[] = {
#define RESULT(name, ...) #name,
#include "scenarios/runner/results.def"
    };
    size_t i = 0;

    for (; names[result][i] != '\0' && i < NAME_BYTES - 1; i++) {
        name[i] = (char)tolower((unsigned char)names[result][i]);
    }
    name[i] = '\0';
    return name;
}

/* The bits of one word; 0: there is no such word. */
static uint32_t status_bits(const char *word)
{
    bool all_failed = strcmp(word, "failed") == 0;
    uint32_t bits = 0;

    for (unsigned i = 0; i < RESULT_COUNT; i++) {
        char name[NAME_BYTES];

        if (all_failed ? verdict_result_failed(i)
                       : strcmp(word, status_name(i, name)) == 0) {
            bits |= 1u << i;
        }
    }
    return bits;
}

static bool fail_status(FILE *errors, const char *word)
{
    fprintf(errors, "ntpmu: no result is called '%s'\n       there are failed",
        word);
    for (unsigned i = 0; i < RESULT_COUNT; i++) {
        char name[NAME_BYTES];

        fprintf(errors, ", %s", status_name(i, name));
    }
    fputc('\n', errors);
    return false;
}

bool option_filter_status(
    struct options *options, const char *value, FILE *errors)
{
    const char *at = value;

    for (;;) {
        size_t length = strcspn(at, ",");
        char word[NAME_BYTES] = "";
        uint32_t bits = 0;

        if (length < sizeof(word)) {
            memcpy(word, at, length);
            bits = status_bits(word);
        }
        if (bits == 0) {
            return fail_status(errors, length < sizeof(word) ? word : at);
        }
        options->statuses |= bits;
        if (at[length] == '\0') {
            return true;
        }
        at += length + 1;
    }
}

bool option_shard(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->shard = read_count(value, SHARDS_MOST, &end);
    options->shards = *end == '/' ? read_count(end + 1, SHARDS_MOST, &end) : 0;
    if (*end != '\0' || options->shard == 0 ||
        options->shard > options->shards) {
        return fail(errors, "not a part I/N with I from 1 to N:", value);
    }
    return true;
}

static bool read_seed(struct options *options, const char *value, FILE *errors)
{
    size_t digits = strspn(value, "0123456789");

    if (digits == 0 || digits > 19 || value[digits] != '\0') {
        return fail(errors, "not a seed, a number of up to 19 digits:", value);
    }
    options->seed = strtoull(value, NULL, 10);
    return true;
}

bool option_order(struct options *options, const char *value, FILE *errors)
{
    static const char *const names[] = {[ORDER_LISTED] = "listed",
        [ORDER_REVERSE] = "reverse",
        [ORDER_RANDOM] = "random",
        [ORDER_SMART] = "smart"};
    static const char random[] = "random:";

    if (strncmp(value, random, strlen(random)) == 0) {
        options->order = ORDER_RANDOM;
        return read_seed(options, value + strlen(random), errors);
    }
    for (unsigned i = 0; i <= ORDER_SMART; i++) {
        if (i != ORDER_RANDOM && strcmp(names[i], value) == 0) {
            options->order = i;
            return true;
        }
    }
    return fail(errors,
        "the order is listed, reverse, random:SEED or smart, not", value);
}

bool option_jobs(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->jobs = read_count(value, JOBS_MOST, &end);
    return (options->jobs != 0 && *end == '\0') ||
           fail(errors, "not a number of processes from 1 to 256:", value);
}

bool option_repeat(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->repeat = read_count(value, REPEAT_MOST, &end);
    return (options->repeat != 0 && *end == '\0') ||
           fail(errors, "not a number of rounds from 1 to 1000000:", value);
}

bool option_twice(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->twice = true;
    return true;
}

bool option_fail_fast(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->fail_fast = true;
    return true;
}

bool option_step(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->step = true;
    return true;
}

bool option_update(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->update = true;
    return true;
}

bool option_watch(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->watch = true;
    return true;
}

bool option_report(struct options *options, const char *value, FILE *errors)
{
    const char *equals = strchr(value, '=');

    if (equals == NULL || equals == value || equals[1] == '\0') {
        return fail(errors, "a report is KIND=FILE, not", value);
    }
    for (size_t i = 0; i < options->report.count; i++) {
        if (strcmp(strchr(options->report.item[i], '='), equals) == 0) {
            return fail(errors, "two reports go to", equals + 1);
        }
    }
    return append(&options->report, value, "too many reports:", errors);
}

bool option_trace(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->trace = value;
    return true;
}

bool option_format(struct options *options, const char *value, FILE *errors)
{
    bool list = options->command == COMMAND_LIST;

    if (strcmp(value, "text") == 0) {
        options->format = FORMAT_TEXT;
    } else if (strcmp(value, "json") == 0) {
        options->format = FORMAT_JSON;
    } else if (list && strcmp(value, "ctest") == 0) {
        options->format = FORMAT_CTEST;
    } else {
        return fail(errors,
            list ? "the format is text, json or ctest, not"
                 : "the format is text or json, not",
            value);
    }
    return true;
}

/* Percent, with up to one decimal. */
bool option_min_req(struct options *options, const char *value, FILE *errors)
{
    size_t whole = strspn(value, "0123456789");
    const char *end = value + whole;
    bool decimal = end[0] == '.' && isdigit((unsigned char)end[1]);

    options->min_req = whole <= 3 ? 10 * (unsigned)strtoul(value, NULL, 10) : 0;
    options->min_req += decimal ? (unsigned)(end[1] - '0') : 0;
    return (whole >= 1 && whole <= 3 && end[decimal ? 2 : 0] == '\0' &&
               options->min_req <= 10 * PERCENT_MOST) ||
           fail(errors,
               "not a percentage from 0 to 100, with up to one decimal:",
               value);
}

bool option_basis(struct options *options, const char *value, FILE *errors)
{
    options->documented = strcmp(value, "documented") == 0;
    return options->documented ||
           fail(errors, "the basis is documented, not", value);
}

bool option_budget(struct options *options, const char *value, FILE *errors)
{
    char *end;

    options->budget = strtoull(value, &end, 10);
    if (value[0] >= '1' && value[0] <= '9' && *end == '\0') {
        return true;
    }
    return fail(errors, "not a number of preemption points:", value);
}

/* Seconds, with up to six decimals. */
bool option_timeout(struct options *options, const char *value, FILE *errors)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(value, digits);
    bool point = value[whole] == '.';
    const char *decimals = value + whole + (point ? 1 : 0);
    size_t length = strspn(decimals, digits);
    uint64_t unit = SECOND_US;
    uint64_t us = strtoull(value, NULL, 10);

    if (whole == 0 || length > 6 || decimals[length] != '\0' ||
        point != (length > 0) || us > TIMEOUT_SECONDS) {
        return fail(errors, "not a number of seconds up to 1000000:", value);
    }
    us *= SECOND_US;
    for (size_t i = 0; i < length; i++) {
        unit /= 10;
        us += unit * (uint64_t)(decimals[i] - '0');
    }
    options->timeout_us = us;
    return us > 0 || fail(errors, "no time at all:", value);
}

bool option_allow_driver(
    struct options *options, const char *value, FILE *errors)
{
    return append(&options->allowed, value,
        "too many drivers; name their directory, not", errors);
}

bool option_os(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->os = value;
    return true;
}

bool option_cpus(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->cpus = value;
    return true;
}

bool option_check(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->check = true;
    return true;
}

bool option_verbose(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->verbose = true;
    return true;
}

bool option_help(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->help = true;
    return true;
}
