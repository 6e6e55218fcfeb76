/* test_options.c - the command line: what is read out of it, and what is said
 * about a wrong one. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/command_line/options.h"
#include "tests/runner/text_file.h"

enum { WORDS = 8 };

/* Words after the program's name; what was read as text. */
static struct right_row {
    const char *name;
    const char *words[WORDS];
    const char *want;
} right_rows[] = {
    {"run_of_a_directory", {"run", "scenarios"},
        "run 1 [scenarios] id=- trace=- listed text budget=1000000 "
        "timeout=10000000"},
    {"validate_of_two_files", {"validate", "a.yaml", "b.yaml"},
        "validate 2 [a.yaml b.yaml] id=- trace=- listed text budget=1000000 "
        "timeout=10000000"},
    {"list_of_a_directory", {"list", "."},
        "list 1 [.] id=- trace=- listed text budget=1000000 timeout=10000000"},
    {"value_as_a_word_of_its_own", {"run", "--id", "hal.x[os=WIN7]", "d"},
        "run 1 [d] id=hal.x[os=WIN7] trace=- listed text budget=1000000 "
        "timeout=10000000"},
    {"value_behind_an_equals_sign", {"run", "--id=hal.x[os=WIN7]", "d"},
        "run 1 [d] id=hal.x[os=WIN7] trace=- listed text budget=1000000 "
        "timeout=10000000"},
    {"options_behind_the_paths", {"run", "d", "--verbose", "e"},
        "run 2 [d e] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "verbose"},
    {"trace_to_standard_output", {"run", "--trace", "-", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000"},
    {"trace_to_a_file", {"run", "--trace=t.txt", "d"},
        "run 1 [d] id=- trace=t.txt listed text budget=1000000 "
        "timeout=10000000"},
    {"reverse_order", {"list", "--order", "reverse", "d"},
        "list 1 [d] id=- trace=- reverse text budget=1000000 timeout=10000000"},
    {"listed_order", {"list", "--order=listed", "d"},
        "list 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000"},
    {"list_for_ctest", {"list", "--format", "ctest", "d"},
        "list 1 [d] id=- trace=- listed ctest budget=1000000 timeout=10000000"},
    {"list_as_text", {"list", "--format", "text", "d"},
        "list 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000"},
    {"budget", {"run", "--budget", "5000", "d"},
        "run 1 [d] id=- trace=- listed text budget=5000 timeout=10000000"},
    {"timeout_in_seconds", {"run", "--timeout", "30", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=30000000"},
    {"timeout_with_a_decimal", {"run", "--timeout", "0.5", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=500000"},
    {"timeout_with_six_decimals", {"run", "--timeout=2.000001", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=2000001"},
    {"longest_timeout", {"run", "--timeout=1000000", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 "
        "timeout=1000000000000"},
    {"ids_are_collected", {"run", "--id", "b", "--id", "a", "d"},
        "run 1 [d] id=b+a trace=- listed text budget=1000000 "
        "timeout=10000000"},
    {"random_order", {"list", "--order", "random:1234567890123456789", "d"},
        "list 1 [d] id=- trace=- random:1234567890123456789 text "
        "budget=1000000 timeout=10000000"},
    {"smart_order", {"list", "--order", "smart", "d"},
        "list 1 [d] id=- trace=- smart text budget=1000000 timeout=10000000"},
    {"jobs_as_a_word_of_their_own", {"run", "-j", "4", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "jobs=4 repeat=1"},
    {"jobs_at_the_letter", {"run", "-j256", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "jobs=256 repeat=1"},
    {"repeat", {"run", "--repeat", "1000000", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "jobs=1 repeat=1000000"},
    {"first_of_one_shard", {"run", "--shard", "1/1", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "shard=1/1"},
    {"last_of_three_shards", {"list", "--shard=3/3", "d"},
        "list 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "shard=3/3"},
    {"statuses", {"run", "--filter-status", "pass,skip", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "statuses=0x3"},
    {"statuses_are_collected",
        {"run", "--filter-status=pass", "--filter-status=fail", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "statuses=0x5"},
    {"failed_is_all_but_pass_skip_and_xfail",
        {"run", "--filter-status", "failed", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "statuses=0x17c"},
    {"reports_are_collected",
        {"run", "--report", "tap=-", "--report", "junit=x=y.xml", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "report=tap=-+junit=x=y.xml"},
    {"msrs_are_collected",
        {"drive", "--msr", "0x19C=0x88000000", "--msr", "432=6,stored", "d"},
        "drive 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "msr=0x19C=0x88000000+432=6,stored"},
    {"flags", {"run", "--twice", "--fail-fast", "--watch", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "twice fail-fast watch"},
    {"while_writing", {"run", "--step", "--update", "d"},
        "run 1 [d] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "step update"},
    {"path_that_looks_like_an_option", {"run", "--", "--id"},
        "run 1 [--id] id=- trace=- listed text budget=1000000 "
        "timeout=10000000"},
    {"dash_is_a_path", {"validate", "-"},
        "validate 1 [-] id=- trace=- listed text budget=1000000 "
        "timeout=10000000"},
    {"help_needs_no_command", {"--help"},
        "none 0 [] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "help"},
    {"help_of_a_command_needs_no_path", {"list", "--help"},
        "list 0 [] id=- trace=- listed text budget=1000000 timeout=10000000 "
        "help"},
};

/* Fills argv, which options_read() may change. */
static int fill(char *argv[WORDS + 2], const char *const words[WORDS])
{
    static char program[] = "ntpmu";
    int argc = 1;

    argv[0] = program;
    for (; argc <= WORDS && words[argc - 1] != NULL; argc++) {
        argv[argc] = strdup(words[argc - 1]);
        assert_non_null(argv[argc]);
    }
    argv[argc] = NULL;
    return argc;
}

static char *show_list(void *memory, const struct option_list *list)
{
    char *text = talloc_strdup(memory, list->count == 0 ? "-" : "");

    for (size_t i = 0; i < list->count; i++) {
        text = talloc_asprintf_append_buffer(
            text, "%s%s", i == 0 ? "" : "+", list->item[i]);
    }
    return text;
}

/* What is seldom asked for, where it is not as usual. */
static char *show_seldom(void *memory, const struct options *options)
{
    char *text = talloc_strdup(memory, "");

    if (options->jobs != 1 || options->repeat != 1) {
        text = talloc_asprintf_append_buffer(text, " jobs=%u repeat=%u",
            (unsigned)options->jobs, (unsigned)options->repeat);
    }
    if (options->shards != 0) {
        text = talloc_asprintf_append_buffer(text, " shard=%u/%u",
            (unsigned)options->shard, (unsigned)options->shards);
    }
    if (options->statuses != 0) {
        text = talloc_asprintf_append_buffer(
            text, " statuses=0x%x", (unsigned)options->statuses);
    }
    if (options->report.count != 0) {
        text = talloc_asprintf_append_buffer(
            text, " report=%s", show_list(memory, &options->report));
    }
    if (options->msr.count != 0) {
        text = talloc_asprintf_append_buffer(
            text, " msr=%s", show_list(memory, &options->msr));
    }
    return talloc_asprintf_append_buffer(text, "%s%s%s%s%s%s%s",
        options->twice ? " twice" : "", options->fail_fast ? " fail-fast" : "",
        options->watch ? " watch" : "", options->step ? " step" : "",
        options->update ? " update" : "", options->verbose ? " verbose" : "",
        options->help ? " help" : "");
}

static char *show(void *memory, const struct options *options)
{
    static const char *const commands[] = {
        [COMMAND_RUN] = "run",
        [COMMAND_VALIDATE] = "validate",
        [COMMAND_LIST] = "list",
        [COMMAND_DRIVE] = "drive",
        [COMMAND_NONE] = "none",
    };
    static const char *const orders[] = {
        "listed", "reverse", "random", "smart"};
    char *text = talloc_asprintf(
        memory, "%s %zu [", commands[options->command], options->path_count);

    for (size_t i = 0; i < options->path_count; i++) {
        text = talloc_asprintf_append_buffer(
            text, "%s%s", i == 0 ? "" : " ", options->path[i]);
    }
    text = talloc_asprintf_append_buffer(text, "] id=%s trace=%s %s",
        show_list(memory, &options->id),
        options->trace == NULL ? "-" : options->trace, orders[options->order]);
    if (options->order == ORDER_RANDOM) {
        text = talloc_asprintf_append_buffer(
            text, ":%llu", (unsigned long long)options->seed);
    }
    return talloc_asprintf_append_buffer(text, " %s budget=%llu timeout=%llu%s",
        options->format == FORMAT_CTEST ? "ctest" : "text", options->budget,
        (unsigned long long)options->timeout_us, show_seldom(memory, options));
}

/* argv before it was read, and whether it was right. */
struct reading {
    struct options options;
    char *argv[WORDS + 2];
    char *word[WORDS + 2];
    int argc;
    bool right;
    char *errors; /* what was said */
};

static void read_words(
    struct reading *reading, void *memory, const char *const words[WORDS])
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    reading->argc = fill(reading->argv, words);
    memcpy(reading->word, reading->argv, sizeof(reading->word));
    reading->right =
        options_read(&reading->options, reading->argc, reading->argv, out);
    fclose(out);
    reading->errors = talloc_strdup(memory, text);
    free(text);
}

static void release(struct reading *reading, void *memory)
{
    for (int i = 1; i < reading->argc; i++) {
        free(reading->word[i]);
    }
    talloc_free(memory);
}

static void right_row(void **state)
{
    const struct right_row *row = *state;
    void *memory = talloc_new(NULL);
    struct reading reading;

    read_words(&reading, memory, row->words);
    assert_string_equal(reading.errors, "");
    assert_true(reading.right);
    assert_string_equal(show(memory, &reading.options), row->want);
    release(&reading, memory);
}

static struct wrong_row {
    const char *name;
    const char *words[WORDS];
    const char *want; /* what is said */
} wrong_rows[] = {
    {"no_command", {NULL}, "ntpmu: no command\n       see: ntpmu --help\n"},
    {"unknown_command", {"rnu", "d"},
        "ntpmu: unknown command 'rnu'\n       did you mean 'run'?\n       see: "
        "ntpmu --help\n"},
    {"unknown_command_without_a_near_one", {"frobnicate", "d"},
        "ntpmu: unknown command 'frobnicate'\n       see: ntpmu --help\n"},
    {"path_without_a_command", {"scenarios"},
        "ntpmu: unknown command 'scenarios'\n       see: ntpmu --help\n"},
    {"no_path", {"run"},
        "ntpmu: no path\n       name a scenario file or a directory\n"},
    {"option_without_a_path", {"run", "--verbose"},
        "ntpmu: no path\n       name a scenario file or a directory\n"},
    {"unknown_option", {"run", "--verbos", "d"},
        "ntpmu: unknown option '--verbos'\n       did you mean '--verbose'?\n  "
        "     see: ntpmu --help\n"},
    {"short_option", {"run", "-v", "d"}, "ntpmu: unknown option '-v'\n"},
    {"short_option_of_another_command", {"list", "-j2", "d"},
        "ntpmu: this command does not take '-j2'\n"},
    {"option_of_another_command", {"validate", "--trace", "x", "d"},
        "ntpmu: this command does not take '--trace'\n"},
    {"value_for_an_option_that_takes_none", {"run", "--verbose=yes", "d"},
        "ntpmu: this option takes no value: '--verbose=yes'\n"},
    {"missing_value", {"run", "d", "--id"},
        "ntpmu: missing value for '--id'\n"},
    {"given_twice", {"run", "--trace", "a", "--trace=b", "d"},
        "ntpmu: given twice: '--trace'\n       keep one of the two\n"},
    {"short_one_given_twice", {"run", "-j", "2", "-j4", "d"},
        "ntpmu: given twice: '-j'\n       keep one of the two\n"},
    {"flag_given_twice", {"run", "--twice", "--twice", "d"},
        "ntpmu: given twice: '--twice'\n       keep one of the two\n"},
    {"unknown_order", {"run", "--order", "random", "d"},
        "ntpmu: the order is listed, reverse, random:SEED or smart, not "
        "'random'\n"},
    {"seed_that_is_a_word", {"run", "--order", "random:x", "d"},
        "ntpmu: not a seed, a number of up to 19 digits: 'x'\n"},
    {"no_seed", {"run", "--order", "random:", "d"},
        "ntpmu: not a seed, a number of up to 19 digits: ''\n"},
    {"no_jobs", {"run", "-j", "0", "d"},
        "ntpmu: not a number of processes from 1 to 256: '0'\n"},
    {"too_many_jobs", {"run", "-j257", "d"},
        "ntpmu: not a number of processes from 1 to 256: '257'\n"},
    {"jobs_that_are_a_word", {"run", "-jx", "d"},
        "ntpmu: not a number of processes from 1 to 256: 'x'\n"},
    {"jobs_without_a_number", {"run", "d", "-j"},
        "ntpmu: missing value for '-j'\n"},
    {"msr_without_a_value", {"drive", "--msr", "0x19C", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C'\n"},
    {"msr_without_an_address", {"drive", "--msr", "=1", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'=1'\n"},
    {"msr_of_nothing", {"drive", "--msr", "0x19C=", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C='\n"},
    {"msr_by_its_name", {"drive", "--msr", "IA32_THERM_STATUS=1", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'IA32_THERM_STATUS=1'\n"},
    {"msr_with_a_word", {"drive", "--msr", "0x19C=many", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C=many'\n"},
    {"msr_below_nothing", {"drive", "--msr", "0x19C=-1", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C=-1'\n"},
    {"msr_that_is_kept", {"drive", "--msr", "0x19C=1,kept", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C=1,kept'\n"},
    {"msr_with_a_key", {"drive", "--msr", "0x19C=1}", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C=1}'\n"},
    {"msr_of_more_than_64_bits",
        {"drive", "--msr", "0x19C=0x10000000000000000", "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C=0x10000000000000000'\n"},
    {"msr_of_a_long_text",
        {"drive", "--msr",
            "0x19C="
            "0000000000000000000000000000000000000000000000000000000000000001",
            "d"},
        "ntpmu: --msr wants ADDRESS=VALUE, or ADDRESS=VALUE,stored, not "
        "'0x19C="
        "0000000000000000000000000000000000000000000000000000000000000001'\n"},
    {"msr_of_a_scenario", {"run", "--msr", "0x19C=1", "d"},
        "ntpmu: this command does not take '--msr'\n"},
    {"no_rounds", {"run", "--repeat", "0", "d"},
        "ntpmu: not a number of rounds from 1 to 1000000: '0'\n"},
    {"rounds_that_overflow", {"run", "--repeat", "4294967297", "d"},
        "ntpmu: not a number of rounds from 1 to 1000000: '4294967297'\n"},
    {"shard_of_zero", {"run", "--shard", "0/2", "d"},
        "ntpmu: not a part I/N with I from 1 to N: '0/2'\n"},
    {"shard_behind_the_last", {"run", "--shard", "3/2", "d"},
        "ntpmu: not a part I/N with I from 1 to N: '3/2'\n"},
    {"shard_without_a_number_of_shards", {"run", "--shard", "1", "d"},
        "ntpmu: not a part I/N with I from 1 to N: '1'\n"},
    {"shard_with_more_behind_it", {"run", "--shard", "1/2/3", "d"},
        "ntpmu: not a part I/N with I from 1 to N: '1/2/3'\n"},
    {"unknown_status", {"run", "--filter-status", "pass,faild", "d"},
        "ntpmu: no result is called 'faild'\n       there are failed, pass, "
        "skip, fail, error, timeout, crash, internal, xfail, xpass\n"},
    {"empty_status", {"run", "--filter-status", "pass,", "d"},
        "ntpmu: no result is called ''\n"},
    {"report_without_a_file", {"run", "--report", "tap", "d"},
        "ntpmu: a report is KIND=FILE, not 'tap'\n"},
    {"report_without_a_kind", {"run", "--report", "=x", "d"},
        "ntpmu: a report is KIND=FILE, not '=x'\n"},
    {"two_reports_to_one_file",
        {"run", "--report", "tap=x", "--report", "junit=x", "d"},
        "ntpmu: two reports go to 'x'\n"},
    {"unknown_format", {"list", "--format", "xml", "d"},
        "ntpmu: the format is text, json or ctest, not 'xml'\n"},
    {"call_of_another_command", {"run", "--call", "KeGetCurrentIrql", "d"},
        "ntpmu: this command does not take '--call'\n"},
    {"budget_that_is_a_word", {"run", "--budget", "much", "d"},
        "ntpmu: not a number of preemption points: 'much'\n"},
    {"budget_of_nothing", {"run", "--budget", "0", "d"},
        "ntpmu: not a number of preemption points: '0'\n"},
    {"budget_below_nothing", {"run", "--budget", "-1", "d"},
        "ntpmu: not a number of preemption points: '-1'\n"},
    {"budget_with_a_unit", {"run", "--budget", "10k", "d"},
        "ntpmu: not a number of preemption points: '10k'\n"},
    {"timeout_that_is_a_word", {"run", "--timeout", "long", "d"},
        "ntpmu: not a number of seconds up to 1000000: 'long'\n"},
    {"timeout_below_nothing", {"run", "--timeout", "-1", "d"},
        "ntpmu: not a number of seconds up to 1000000: '-1'\n"},
    {"timeout_without_whole_seconds", {"run", "--timeout", ".5", "d"},
        "ntpmu: not a number of seconds up to 1000000: '.5'\n"},
    {"timeout_that_ends_in_a_point", {"run", "--timeout", "1.", "d"},
        "ntpmu: not a number of seconds up to 1000000: '1.'\n"},
    {"timeout_with_seven_decimals", {"run", "--timeout", "0.1234567", "d"},
        "ntpmu: not a number of seconds up to 1000000: '0.1234567'\n"},
    {"timeout_with_a_unit", {"run", "--timeout", "10s", "d"},
        "ntpmu: not a number of seconds up to 1000000: '10s'\n"},
    {"timeout_with_an_exponent", {"run", "--timeout", "1e3", "d"},
        "ntpmu: not a number of seconds up to 1000000: '1e3'\n"},
    {"timeout_above_the_longest", {"run", "--timeout", "1000001", "d"},
        "ntpmu: not a number of seconds up to 1000000: '1000001'\n"},
    {"timeout_that_overflows",
        {"run", "--timeout", "99999999999999999999999", "d"},
        "ntpmu: not a number of seconds up to 1000000: "
        "'99999999999999999999999'\n"},
    {"timeout_of_nothing", {"run", "--timeout", "0.000", "d"},
        "ntpmu: no time at all: '0.000'\n"},
};

static void wrong_row(void **state)
{
    const struct wrong_row *row = *state;
    void *memory = talloc_new(NULL);
    struct reading reading;

    read_words(&reading, memory, row->words);
    assert_false(reading.right);
    if (!text_begins(reading.errors, row->want)) {
        assert_string_equal(reading.errors, row->want);
    }
    release(&reading, memory);
}

TEST_FILE(test_options)
{
    TEST_ADD_ROWS(list, right_row, right_rows);
    TEST_ADD_ROWS(list, wrong_row, wrong_rows);
}
