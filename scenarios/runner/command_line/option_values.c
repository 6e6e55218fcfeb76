/* option_values.c - the value of each option read out of its text, a function
 * for each. */
#include "scenarios/runner/command_line/option_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/nt/profile.h"
#include "api/text/suggest.h"
#include "scenarios/runner/command_line/option_reading.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/parts/part_head.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/visible_text.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/base/limits.h"

_Static_assert(LIMIT_PROCESSORS == 2048, "as the message says");

enum {
    TIMEOUT_SECONDS = 1000000, /* the most; a sum of it cannot overflow */
    JOBS_MOST = 256,
    REPEAT_MOST = 1000000,
    PERCENT_MOST = 100,
    NAME_BYTES = 32, /* of a result, with its NUL */
    MSR_BYTES = 64,  /* of a register with its value */
    FORMATS = FORMAT_TYPEPERF + 1,
};

bool option_id(struct options *options, const char *value, FILE *errors)
{
    return option_append(&options->id, value,
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
        return option_fail(errors, "-D wants NAME=VALUE, not", value);
    }
    return option_append(
        &options->given, value, "too many values; no room for", errors);
}

bool option_xfail(struct options *options, const char *value, FILE *errors)
{
    return option_append(
        &options->xfail, value, "too many lists; no room for", errors);
}

/* The name as it is on the command line. */
static const char *status_name(enum result result, char name[NAME_BYTES])
{
    static const char *const names[] = {
#define RESULT(name, ...) #name,
#include "scenarios/runner/run/results.def"
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
        visible_name(word));
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

    options->shard = option_read_count(value, PART_PARTS, &end);
    options->shards =
        *end == '/' ? option_read_count(end + 1, PART_PARTS, &end) : 0;
    if (*end != '\0' || options->shard == 0 ||
        options->shard > options->shards) {
        return option_fail(errors, "not a part I/N with I from 1 to N:", value);
    }
    return true;
}

static bool read_seed(uint64_t *seed, const char *value, FILE *errors)
{
    size_t digits = strspn(value, "0123456789");

    if (digits == 0 || digits > 19 || value[digits] != '\0') {
        return option_fail(
            errors, "not a seed, a number of up to 19 digits:", value);
    }
    *seed = strtoull(value, NULL, 10);
    return true;
}

static const char *mode_name(size_t index)
{
    return name_of_explore_mode(index, NULL);
}

bool option_mode(struct options *options, const char *value, FILE *errors)
{
    struct suggestion suggestion = suggest_for(value);
    const char *word;

    for (size_t i = 0; (word = name_of_explore_mode(i, NULL)) != NULL; i++) {
        if (strcmp(word, value) == 0) {
            options->exploring.mode = (enum explore_mode)i;
            return true;
        }
        suggest_offer(&suggestion, word);
    }
    return option_fail_listed(
        errors, "no order of schedules is", &suggestion, mode_name);
}

bool option_preemptions(
    struct options *options, const char *value, FILE *errors)
{
    uint64_t count;

    if (!option_read_decimal(value, 0, EXPLORE_PREEMPTIONS_MOST, &count)) {
        return option_fail(
            errors, "not a number of preemptions from 0 to 64:", value);
    }
    options->exploring.preemptions = (uint32_t)count;
    return true;
}

bool option_max_schedules(
    struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->exploring.max_schedules =
        option_read_count(value, EXPLORE_SCHEDULES_MOST, &end);
    return (options->exploring.max_schedules != 0 && *end == '\0') ||
           option_fail(
               errors, "not a number of schedules from 1 to 10000000:", value);
}

bool option_seed(struct options *options, const char *value, FILE *errors)
{
    options->exploring.seeded = true;
    return read_seed(&options->exploring.seed, value, errors);
}

bool option_step_drivers(
    struct options *options, const char *value, FILE *errors)
{
    (void)value;
    (void)errors;
    options->exploring.step_drivers = true;
    return true;
}

bool option_schedule(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->schedule = value;
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
        return read_seed(&options->seed, value + strlen(random), errors);
    }
    for (unsigned i = 0; i <= ORDER_SMART; i++) {
        if (i != ORDER_RANDOM && strcmp(names[i], value) == 0) {
            options->order = i;
            return true;
        }
    }
    return option_fail(errors,
        "the order is listed, reverse, random:SEED or smart, not", value);
}

bool option_jobs(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->jobs = option_read_count(value, JOBS_MOST, &end);
    return (options->jobs != 0 && *end == '\0') ||
           option_fail(
               errors, "not a number of processes from 1 to 256:", value);
}

bool option_repeat(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->repeat = option_read_count(value, REPEAT_MOST, &end);
    return (options->repeat != 0 && *end == '\0') ||
           option_fail(
               errors, "not a number of rounds from 1 to 1000000:", value);
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
        return option_fail(errors, "a report is KIND=FILE, not", value);
    }
    for (size_t i = 0; i < options->report.count; i++) {
        if (strcmp(strchr(options->report.item[i], '='), equals) == 0) {
            return option_fail(errors, "two reports go to", equals + 1);
        }
    }
    return option_append(&options->report, value, "too many reports:", errors);
}

bool option_results(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->results = value;
    return true;
}

bool option_trace(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->trace = value;
    return true;
}

/* The formats of a command: its text first, which is the default. */
static const char *const *format_names(enum command command)
{
    static const char *const usual[FORMATS] = {
        [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json"};
    static const char *const list[FORMATS] = {[FORMAT_TEXT] = "text",
        [FORMAT_JSON] = "json",
        [FORMAT_CTEST] = "ctest"};
    static const char *const counters[FORMATS] = {[FORMAT_TEXT] = "table",
        [FORMAT_CSV] = "csv",
        [FORMAT_JSON] = "json",
        [FORMAT_TYPEPERF] = "typeperf"};

    return command == COMMAND_LIST       ? list
           : command == COMMAND_COUNTERS ? counters
                                         : usual;
}

bool option_format(struct options *options, const char *value, FILE *errors)
{
    const char *const *names = format_names(options->command);

    for (unsigned i = 0; i < FORMATS; i++) {
        if (names[i] != NULL && strcmp(names[i], value) == 0) {
            options->format = (enum format)i;
            return true;
        }
    }
    return option_fail(errors,
        options->command == COMMAND_LIST
            ? "the format is text, json or ctest, not"
        : options->command == COMMAND_COUNTERS
            ? "the format is table, csv, json or typeperf, not"
            : "the format is text or json, not",
        value);
}

/* Percent, with up to one decimal, in thousandths. */
static bool read_share(unsigned *share, const char *value, FILE *errors)
{
    size_t whole = strspn(value, "0123456789");
    const char *end = value + whole;
    bool decimal = end[0] == '.' && isdigit((unsigned char)end[1]);

    *share = whole <= 3 ? 10 * (unsigned)strtoul(value, NULL, 10) : 0;
    *share += decimal ? (unsigned)(end[1] - '0') : 0;
    return (whole >= 1 && whole <= 3 && end[decimal ? 2 : 0] == '\0' &&
               *share <= 10 * PERCENT_MOST) ||
           option_fail(errors,
               "not a percentage from 0 to 100, with up to one decimal:",
               value);
}

bool option_min_req(struct options *options, const char *value, FILE *errors)
{
    return read_share(&options->min_req, value, errors);
}

bool option_min_proven(struct options *options, const char *value, FILE *errors)
{
    return read_share(&options->min_proven, value, errors);
}

bool option_basis(struct options *options, const char *value, FILE *errors)
{
    options->documented = strcmp(value, "documented") == 0;
    return options->documented ||
           option_fail(errors, "the basis is documented, not", value);
}

bool option_strict_imports(
    struct options *options, const char *value, FILE *errors)
{
    (void)value;
    (void)errors;
    options->strict_imports = true;
    return true;
}

bool option_budget(struct options *options, const char *value, FILE *errors)
{
    char *end;

    options->budget = strtoull(value, &end, 10);
    if (value[0] >= '1' && value[0] <= '9' && *end == '\0') {
        return true;
    }
    return option_fail(errors, "not a number of preemption points:", value);
}

/* Seconds, with up to six decimals. */
bool option_timeout(struct options *options, const char *value, FILE *errors)
{
    if (!option_read_decimal(value, 6, TIMEOUT_SECONDS, &options->timeout_us)) {
        return option_fail(
            errors, "not a number of seconds up to 1000000:", value);
    }
    return options->timeout_us > 0 ||
           option_fail(errors, "no time at all:", value);
}

bool option_allow_driver(
    struct options *options, const char *value, FILE *errors)
{
    return option_append(&options->allowed, value,
        "too many drivers; name their directory, not", errors);
}

static const char *os_name(size_t index)
{
    return index < OS_COUNT ? os_rows[index].name : NULL;
}

bool option_os(struct options *options, const char *value, FILE *errors)
{
    struct suggestion suggestion = suggest_for(value);

    options->os = value;
    if (options->command == COMMAND_DRIVE && strcmp(value, "all") == 0) {
        options->os_all = true;
        return true;
    }
    for (unsigned i = 0; i < OS_COUNT; i++) {
        if (strcmp(os_rows[i].name, value) == 0) {
            return true;
        }
        suggest_offer(&suggestion, os_rows[i].name);
    }
    return option_fail_listed(
        errors, "unknown Windows version", &suggestion, os_name);
}

bool option_cpus(struct options *options, const char *value, FILE *errors)
{
    const char *end;

    options->cpus = value;
    return (option_read_count(value, LIMIT_PROCESSORS, &end) > 0 &&
               *end == '\0') ||
           option_fail(errors, "not a number of processors up to 2048:", value);
}

/* Addresses and values are written as in a scenario, which says what else is
 * wrong with them. */
bool option_msr(struct options *options, const char *value, FILE *errors)
{
    char text[MSR_BYTES];
    char *number, *stored;
    uint64_t read;

    snprintf(text, sizeof(text), "%s", value);
    number = strchr(text, '=');
    if (number == NULL || strlen(value) >= sizeof(text)) {
        return option_fail(errors,
            "--msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not", value);
    }
    *number++ = '\0';
    stored = strchr(number, ',');
    if (stored != NULL) {
        *stored++ = '\0';
    }
    if (!plain_word_number(text, &read) || !plain_word_number(number, &read) ||
        (stored != NULL && strcmp(stored, "stored") != 0)) {
        return option_fail(errors,
            "--msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not", value);
    }
    return option_append(
        &options->msr, value, "too many MSRs; no room for", errors);
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

bool option_dropped(struct options *options, const char *value, FILE *errors)
{
    (void)value, (void)errors;
    options->dropped = true;
    return true;
}

bool option_title(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->title = value;
    return true;
}

bool option_call(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->call = value;
    return true;
}

bool option_output(struct options *options, const char *value, FILE *errors)
{
    (void)errors;
    options->output = value;
    return true;
}
