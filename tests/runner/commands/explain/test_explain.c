/* test_explain.c - everything that has a name is explained: all lists, thing by
 * thing; what goes by a word. */
#define _GNU_SOURCE
#include "api/core/routine.h"
#include "scenarios/runner/commands/explain/explain.h"
#include "tests/runner/text_file.h"

/* An explanation that goes into memory. */
struct place {
    struct explain explain;
    char *text;
    size_t length;
};

static void init(struct place *place)
{
    FILE *out;

    *place = (struct place){.text = NULL};
    out = open_memstream(&place->text, &place->length);
    assert_non_null(out);
    place->explain = explain_open(talloc_new(NULL), out);
}

static size_t explained(struct place *place, const char *word)
{
    size_t hits;

    rewind(place->explain.out);
    hits = explain_word(&place->explain, word);
    fputc('\0', place->explain.out);
    fflush(place->explain.out);
    return hits;
}

static void release(struct place *place)
{
    fclose(place->explain.out);
    free(place->text);
    talloc_free(place->explain.context);
}

/* A line of its own for the list, and a field below its name. */
static void assert_one(
    struct place *place, const struct explain_kind *kind, size_t n)
{
    const char *name = kind->name(&place->explain, n);
    const char *line = kind->line(&place->explain, n);
    char *head =
        talloc_asprintf(place->explain.context, "%s: %s\n  ", name, kind->noun);

    assert_string_not_equal(line, "");
    assert_null(strchr(line, '\n'));
    assert_true(explained(place, name) > 0);
    if (strcmp(kind->noun, "mapping") == 0) {
        /* A step, check or probe of that name shows the keys. */
        assert_true(strstr(place->text, "\n  keys ") != NULL ||
                    strstr(place->text, "\n  and ") != NULL);
    } else if (strstr(place->text, head) == NULL) {
        assert_string_equal(place->text, head); /* shows both */
    }
}

static void list_row(void **state)
{
    const struct explain_kind *kind = *state;
    struct place place;
    size_t count = 0;

    init(&place);
    while (kind->name(&place.explain, count) != NULL) {
        assert_one(&place, kind, count++);
    }
    assert_true(count > 1);
    assert_true(explained(&place, kind->plural) > 0);
    assert_non_null(strstr(place.text, kind->name(&place.explain, count - 1)));
    release(&place);
}

/* Every key of every mapping, also those that are steps, checks or probes. */
static void every_key_is_explained(void **state)
{
    static const char *const keys[] = {
#define KEY(mapping, key, ...) key,
#include "scenarios/runner/language/keys.def"
    };
    struct place place;

    (void)state;
    init(&place);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (explained(&place, keys[i]) == 0) {
            assert_string_equal(keys[i], ""); /* shows it */
        }
    }
    release(&place);
}

/* A word, how many things go by it, and what is said among others. */
static struct word_row {
    const char *name, *word;
    size_t want_hits;
    const char *want;
} word_rows[] = {
    {"in_any_case", "statUS_sUCCess", 1, "STATUS_SUCCESS: status\n"},
    {"status_by_its_number", "0xC000000D", 1,
        "STATUS_INVALID_PARAMETER: status\n"},
    {"bug_check_by_its_code", "0xD1", 1,
        "DRIVER_IRQL_NOT_LESS_OR_EQUAL: bug check\n"},
    {"register_by_its_address", "0x38F", 1,
        "IA32_PERF_GLOBAL_CTRL: register\n"},
    {"word_in_two_lists", "overflow", 2, "overflow: event of the trace\n"},
    {"type_and_callback", "PKIPI_BROADCAST_WORKER", 2, "$Argument in its"},
    {"check_key_and_list", "events", 3, "\nevents:\n  rdmsr "},
    {"irql_range", "KeAcquireSpinLockRaiseToDpc", 1,
        "irql         PASSIVE_LEVEL to DISPATCH_LEVEL\n"},
    {"cost_of_a_routine", "HalFreeHardwareCounters", 1,
        "costs        800 cycles, 500 instructions\n"},
    {"routine_with_its_requirements", "KeGetCurrentIrql", 1,
        "requirements IRQL-03 [D] "},
    {"routine_that_only_drivers_call", "IoCreateDevice", 1,
        "called by    drivers that are machine code, no actor\n"},
    {"fatal_rule", "irql.contract", 1,
        "fatal: the machine stops with bug check IRQL_NOT_LESS_OR_EQUAL\n"},
    {"warning", "hal.alloc.flags", 1, "warning: the call goes on\n"},
    {"ruling_with_its_values", "HAL-TYPE-05b", 2, "  or           exclusive\n"},
    {"requirement_with_its_evidence", "HAL-ALLOC-12", 1,
        "evidence     D, documented\n"},
    {"requirement_with_its_unit_test", "PMU-GP-01a", 1,
        "unit test    sim.machine.test_msr_rows\n"},
    {"member_with_its_offset", "GROUP_AFFINITY", 1,
        "\n    10  USHORT Reserved[3]\n"},
    {"probe_as_it_is_written", "owners", 1, "{owners: {cpu: ..}, is: ..}"},
    {"key_that_is_refused", "instances", 1, "not in this version: "},
    {"level_by_architecture", "PROFILE_LEVEL", 1, "27 on x86, 15 on x64"},
    {"figure_of_a_rate", "perf_counter_counter", 1,
        "figure       growth of the value / (ticks in between / ticks per "},
    {"figure_of_an_average", "perf_average_bulk", 1,
        "figure       growth of the value / growth of baseID\n"},
    {"what_a_counter_needs", "perf_counter_multi_timer_inv", 1,
        "needs        baseID of a perf_counter_multi_base, multiCounterID of "
        "a\n"},
    {"figure_with_its_unit", "perf_elapsed_time", 1,
        "(value of perfTimeID - value) / value of perfFreqID, in s\n"},
    {"counter_without_a_figure", "perf_average_base", 1,
        "figure       no figure\n"},
    {"version", "WIN_FE", 1, "runs on      x64, arm64\n"},
    {"error", "ntp0104", 1, "what to do   keep one of the two\n"},
    {"nothing", "no_such_word", 0, ""},
    {"number_of_nothing", "0x12345", 0, ""},
};

static void word_row(void **state)
{
    const struct word_row *row = *state;
    struct place place;

    init(&place);
    assert_int_equal(explained(&place, row->word), row->want_hits);
    if (strstr(place.text, row->want) == NULL) {
        assert_string_equal(place.text, row->want); /* shows both */
    }
    release(&place);
}

/* Lines fit a terminal, but for words that are longer. */
static void fields_are_wrapped(void **state)
{
    struct place place;
    const char *line;

    (void)state;
    init(&place);
    explained(&place, "HalAllocateHardwareCounters");
    for (line = place.text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= 80);
    }
    release(&place);
}

static void nearest_word_of_all_lists(void **state)
{
    struct place place;

    (void)state;
    init(&place);
    assert_string_equal(
        explain_suggest(&place.explain, "IA32_PMC00").nearest, "IA32_PMC0");
    assert_string_equal(
        explain_suggest(&place.explain, "paralel").nearest, "parallel");
    assert_string_equal(
        explain_suggest(&place.explain, "requirments").nearest, "requirements");
    assert_null(explain_suggest(&place.explain, "zzzzzzzzzzzz").nearest);
    release(&place);
}

static void what_is_missing_is_not_modelled(void **state)
{
    struct place place;
    const char *name;
    enum routine routine;
    size_t n = 0;

    (void)state;
    init(&place);
    while ((name = name_missing(&place.explain, n++)) != NULL) {
        if (routine_find(name, &routine)) {
            fail_msg("missing_routines.def still has %s", name);
        }
    }
    assert_true(n > 1);
    release(&place);
}

TEST_FILE(test_explain)
{
    static struct explain_kind kinds[EXPLAIN_LISTS];

    for (size_t i = 0; i < EXPLAIN_LISTS; i++) {
        kinds[i] = explain_kinds[i];
        test_add(list, kinds[i].plural, list_row, &kinds[i]);
    }
    TEST_ADD_ROWS(list, word_row, word_rows);
    test_add(list, "every_key_is_explained", every_key_is_explained, NULL);
    test_add(list, "what_is_missing_is_not_modelled",
        what_is_missing_is_not_modelled, NULL);
    test_add(list, "fields_are_wrapped", fields_are_wrapped, NULL);
    test_add(
        list, "nearest_word_of_all_lists", nearest_word_of_all_lists, NULL);
}
