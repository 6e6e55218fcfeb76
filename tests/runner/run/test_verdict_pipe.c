/* test_verdict_pipe.c - verdicts through bytes and back, and bytes that are
 * none. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "tests/runner/run/verdict_exchange.h"

static void put(struct exchange *exchange, const void *bytes, size_t size)
{
    assert_true(exchange->length + size <= EXCHANGE_BYTES);
    memcpy(exchange->bytes + exchange->length, bytes, size);
    exchange->length += size;
}

/* A message as its parts: h head, r/p/i results FAIL, PASS, INTERNAL, x a
 * result that does not exist, digits a number of 32 bits, c a number of checks
 * and one of those not asked, z none of either, n the failures' place, o a
 * place that is none, s a text, N a text with a NUL, L one that is longer than
 * all that follows, l one that is too long, m one that is a list of values, b
 * one that is no value, - no text, k, K, V, E, F the
 * requirements T-03, 01, 02, 04 and 05, u an unknown one, t tail
 * without an exploration, w a wrong one, e an exploration, d none, B two
 * conditions of which the second held, A how many calls failed and why one
 * was not judged for leaks, a that none did, P the name of a routine, T tail
 * alone. */
#define NONE UINT32_MAX

static const struct {
    char part;
    size_t size;
    const void *bytes;
} parts[] = {
    {'h', 4, &(const uint32_t){0x4E545056}},
    {'p', 4, &(const uint32_t){0}},
    {'r', 4, &(const uint32_t){2}},
    {'i', 4, &(const uint32_t){6}},
    {'x', 4, &(const uint32_t){7}},
    {'0', 4, &(const uint32_t){0}},
    {'1', 4, &(const uint32_t){1}},
    {'2', 4, &(const uint32_t){2}},
    {'3', 4, &(const uint32_t){3}},
    {'4', 4, &(const uint32_t){4}},
    {'5', 4, &(const uint32_t){5}},
    {'6', 4, &(const uint32_t){6}},
    {'7', 4, &(const uint32_t){7}},
    {'8', 4, &(const uint32_t){8}},
    {'9', 4, &(const uint32_t){4097}},
    {'c', 16, (const uint64_t[]){7, 5}},
    {'z', 16, (const uint64_t[]){0, 0}},
    {'n', 8, &(const uint64_t){6}}, /* the title */
    {'o', 8, &(const uint64_t){1000000}},
    {'s', 7, "\3\0\0\0one"},
    {'N', 7, "\3\0\0\0o\0e"},
    {'L', 7, "\0\0\1\0one"},
    {'l', 7, "\1\0\20\0one"},
    {'m', 10, "\6\0\0\0[1, 2]"},
    {'b', 7, "\3\0\0\0a b"},
    {'-', 4, "\xFF\xFF\xFF\xFF"},
    {'k', 8, "\4\0\0\0T-03"},
    {'K', 8, "\4\0\0\0T-01"},
    {'V', 8, "\4\0\0\0T-02"},
    {'E', 8, "\4\0\0\0T-04"},
    {'F', 8, "\4\0\0\0T-05"},
    {'u', 8, "\4\0\0\0T-09"},
    {'t', 104,
        (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, NONE, NONE, 0, 0, 0, 0, 0, 0,
            0, 0, 0, NONE, NONE, 0, 0, 0, 0, 0x56505445}},
    {'w', 104,
        (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, NONE, NONE, 0, 0, 0, 0, 0, 0,
            0, 0, 0, NONE, NONE, 0, 0, 0, 0, 0x56505446}},
    {'d', 44, (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, NONE, NONE, 0}},
    {'a', 44, (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, NONE, NONE, 0}},
    {'A', 39,
        "\3\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
        "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
        "\3\0\0\0one"},
    {'e', 46,
        "\5\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"
        "\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
        "\3\0\0\0one\3\0\0\0one"},
    {'B', 2, "\0\1"},
    {'P', 20, "\20\0\0\0KeIpiGenericCall"},
    {'T', 4, &(const uint32_t){0x56505445}},
};

static void put_part(struct exchange *exchange, char part)
{
    size_t i = 0;

    while (i < sizeof(parts) / sizeof(parts[0]) && parts[i].part != part) {
        i++;
    }
    assert_true(i < sizeof(parts) / sizeof(parts[0]));
    put(exchange, parts[i].bytes, parts[i].size);
}

static struct malformed_row {
    const char *name;
    const char *parts;
    const char *want; /* the problem; NULL: it is none */
} malformed_rows[] = {
    {"pass", "hpc0000t", NULL},
    {"failure", "hrc1nsss1k000t", NULL},
    {"failure_without_a_call", "hrc1nss-0000t", NULL},
    {"failure_before_any_check", "hrz1nsss0000t", NULL},
    {"failure_at_no_node", "hrc1osss0000t", NULL},
    {"failure_with_four_requirements", "hrc1nsss4kkkk000t", NULL},
    {"two_failures", "hrc2nsss0nss-1k000t", NULL},
    {"failure_of_ours", "hiz1nsss0000t", NULL},
    {"exploration", "hpc0000e0a000T", NULL},
    {"conditions_of_schedules", "hpc0000e2Ba000T", NULL},
    {"calls_that_failed", "hrc1nsss0000dAs10ss000T", NULL},
    {"calls_that_failed_at_no_place", "hrc1nsss0000dA-10s-000T", NULL},
    {"calls_that_failed_without_a_name", "hrc1nsss0000dAs10-s00T",
        "a text is missing"},
    {"calls_that_failed_for_no_failure", "hrc1nsss0000dAs11ss00T",
        "calls failed for a failure that does not exist"},
    {"calls_that_failed_and_are_missing", "hrc1nsss0000dAs20ss",
        "it ends too early"},
    {"conditions_that_are_missing", "hpc0000e7BT", "it ends too early"},
    {"more_conditions_than_are_said", "hpc0000e1BaT", "a text is too long"},
    {"imports_that_nobody_models", "hpc0000e0a20ss0T", NULL},
    {"import_that_ended_the_run", "hrc1nsss0000e0a11s0T", NULL},
    {"import_that_ended_what_passed", "hpc0000e0a11sT",
        "its result contradicts what is missing"},
    {"two_imports_that_ended_the_run", "hrc1nsss0000e0a22ssT",
        "its result contradicts what is missing"},
    {"import_that_is_none_ended_the_run", "hrc1nsss0000e0a01T",
        "its result contradicts what is missing"},
    {"one_import_of_two", "hpc0000e0a20s", "it ends too early"},
    {"import_without_a_name", "hpc0000e0a10-T", "a text is missing"},
    {"routine_that_was_replaced", "hpc0000e0a001PT", NULL},
    {"replaced_what_is_not_modelled", "hpc0000e0a001sT",
        "it has replaced what is not modelled"},
    {"one_replaced_of_two", "hpc0000e0a002P", "it ends too early"},
    {"replaced_without_a_name", "hpc0000e0a001-T", "a text is missing"},
    {"exploration_whose_words_are_cut", "hpc0000zzs", "it ends too early"},
    {"exploration_with_a_nul", "hpc0000zzN-T", "a text holds a NUL"},
    {"nothing", "", "it ends too early"},
    {"head_alone", "h", "it ends too early"},
    {"result_alone", "hp", "it ends too early"},
    {"checks_alone", "hpc", "it ends too early"},
    {"no_tail", "hpc0000", "it ends too early"},
    {"wrong_tail", "hpc0000w", "it does not end as one"},
    {"bytes_behind_the_tail", "hpc0000t0", "it does not end as one"},
    {"wrong_head", "tpc00t", "it does not begin as one"},
    {"unknown_result", "hxc1nsss00t", "its result does not exist"},
    {"too_many_failures", "hrc9", "it has too many failures"},
    {"pass_with_a_failure", "hpc1nsss00t",
        "its result contradicts its failures"},
    {"pass_without_checks", "hpz00t", "its result contradicts its failures"},
    {"fail_without_a_failure", "hrc00t", "its result contradicts its failures"},
    {"one_failure_of_two", "hrc2nsss00T", "it ends too early"},
    {"failure_that_ends_behind_its_place", "hrc1n", "it ends too early"},
    {"failure_that_ends_behind_its_step", "hrc1ns", "it ends too early"},
    {"failure_that_ends_behind_its_message", "hrc1nss", "it ends too early"},
    {"failure_that_ends_behind_its_call", "hrc1nsss", "it ends too early"},
    {"failure_that_ends_behind_a_requirement", "hrc1nsss2k",
        "it ends too early"},
    {"failure_without_a_step", "hrc1n-ss00t", "a text is missing"},
    {"failure_without_a_message", "hrc1ns-s00t", "a text is missing"},
    {"text_with_a_nul", "hrc1nsNs00t", "a text holds a NUL"},
    {"call_with_a_nul", "hrc1nssN00t", "a text holds a NUL"},
    {"text_longer_than_the_message", "hrc1nsLs00t", "it ends too early"},
    {"text_longer_than_any", "hrc1nsls00t", "a text is too long"},
    {"unknown_requirement", "hrc1nsss1u0t", "a requirement does not exist"},
    {"requirement_with_a_nul", "hrc1nsss1N0t", "a text holds a NUL"},
    {"requirement_that_is_no_text", "hrc1nsss1-0t", "a text is missing"},
    {"five_requirements", "hrc1nsss5kkkkk0t",
        "a failure has too many requirements"},
    {"citation_of_each_outcome", "hrc1nsss03k0K1V200t", NULL},
    {"citation_of_five", "hpc05k0K0V0E0F000t", NULL},
    {"citation_of_seven", "hpc07k0K0V0E0F0k0k0t",
        "it cites too many requirements"},
    {"citation_of_an_unknown_requirement", "hpc01u0t",
        "a requirement does not exist"},
    {"citation_without_an_outcome", "hpc01k", "it ends too early"},
    {"citation_of_an_unknown_outcome", "hpc01k4t",
        "what came of a requirement does not exist"},
    {"citation_that_failed_of_what_passed", "hpc01k2t",
        "its result contradicts what it cites"},
    {"citation_twice", "hpc02k0k1t", "a requirement is cited twice"},
    {"no_citation_of_one", "hpc01", "it ends too early"},
    {"values_of_each_kind", "hrc1nsss0003n1-n2sn6mt", NULL},
    {"value_at_no_node", "hpc0001o1-t", NULL},
    {"value_of_an_unknown_kind", "hpc0001n8-t",
        "what became of an expected value does not exist"},
    {"value_that_is_none", "hrc1nsss0011n2bt", "a value is none"},
    {"value_with_a_nul", "hrc1nsss0011n2Nt", "a text holds a NUL"},
    {"value_that_ends_behind_its_place", "hpc0001n", "it ends too early"},
    {"value_that_ends_behind_its_kind", "hpc0001n1", "it ends too early"},
    {"one_value_of_two", "hpc0002n1-T", "it ends too early"},
    {"no_values", "hpc00", "it ends too early"},
};

static void malformed_row(void **state)
{
    const struct malformed_row *row = *state;
    struct exchange exchange;

    exchange_init(&exchange);
    for (const char *part = row->parts; *part != '\0'; part++) {
        put_part(&exchange, *part);
    }
    receive(&exchange);
    if (row->want == NULL) {
        assert_null(exchange.problem);
    } else {
        assert_non_null(exchange.problem);
        assert_string_equal(exchange.problem, row->want);
    }
    exchange_release(&exchange);
}

static void message_is_read_as_it_was_meant(void **state)
{
    struct exchange exchange;
    const struct failure *failure;
    const struct cited *cited;
    const struct literals *literals;
    const struct literal *literal;
    const struct node *root;

    (void)state;
    exchange_init(&exchange);
    for (const char *part = "hrc2nsss1koss-03k2K1V012n2mo7-t"; *part != '\0';
         part++) {
        put_part(&exchange, *part);
    }
    receive(&exchange);
    assert_null(exchange.problem);
    root = exchange.made.text.scenario->root;
    assert_int_equal(exchange.verdict->result, RESULT_FAIL);
    assert_int_equal(exchange.verdict->checks, 7);
    assert_int_equal(exchange.verdict->not_asked, 5);
    assert_int_equal(exchange.verdict->failure_count, 2);
    failure = exchange.verdict->failure;
    assert_ptr_equal(failure[0].place, node_get(root, "title"));
    assert_string_equal(failure[0].step, "one");
    assert_string_equal(failure[0].message, "one");
    assert_string_equal(failure[0].call, "one");
    assert_ptr_equal(
        failure[0].covers[0], exchange.made.text.requirements.item[2].id);
    assert_null(failure[0].covers[1]);
    assert_ptr_equal(failure[1].place, root);
    assert_null(failure[1].call);
    assert_null(failure[1].covers[0]);
    cited = exchange.verdict->cited;
    assert_int_equal(exchange.verdict->cited_count, 3);
    assert_ptr_equal(
        cited[0].requirement, exchange.made.text.requirements.item[2].id);
    assert_true(cited[0].failed && !cited[0].hollow);
    assert_ptr_equal(
        cited[1].requirement, exchange.made.text.requirements.item[0].id);
    assert_true(!cited[1].failed && !cited[1].hollow);
    assert_true(!cited[2].failed && cited[2].hollow);
    literals = exchange.verdict->literals;
    assert_int_equal(literals->failures, 1);
    assert_int_equal(literals->count, 2);
    literal = literals->item;
    assert_ptr_equal(literal[0].place, node_get(root, "title"));
    assert_true(!literal[0].met && literal[0].differs && !literal[0].several);
    assert_string_equal(literal[0].actual, "[1, 2]");
    assert_ptr_equal(literal[1].place, root);
    assert_true(literal[1].met && literal[1].differs && literal[1].several);
    assert_null(literal[1].actual);
    exchange_release(&exchange);
}

/* What is sent of a run comes out, and no beginning of it is a whole. */
static void every_beginning_of_a_message_is_refused(void **state)
{
    struct exchange exchange;
    size_t whole;

    (void)state;
    exchange_init(&exchange);
    send_verdict(&exchange, scenario_run_nth(&exchange.made, 0));
    whole = exchange.length;
    receive(&exchange);
    assert_null(exchange.problem);
    assert_string_equal(exchange.verdict->failure[0].message,
        "state of cpu 0, irql: expected APC_LEVEL, actual PASSIVE_LEVEL");
    assert_int_equal(exchange.verdict->cited_count, 1);
    assert_string_equal(exchange.verdict->cited[0].requirement, "T-03");
    assert_true(exchange.verdict->cited[0].failed);
    for (size_t i = 0; i < whole; i++) {
        exchange.length = i;
        receive(&exchange);
        assert_non_null(exchange.problem);
    }
    exchange_release(&exchange);
}

/* As many requirements as an expectation can cite, and a failure behind it. */
static void failure_cites_as_many_as_it_can(void **state)
{
    struct exchange exchange;
    struct failure failure[2];
    struct verdict verdict;

    (void)state;
    exchange_init(&exchange);
    verdict = *scenario_run_nth(&exchange.made, 0);
    failure[0] = verdict.failure[0];
    for (size_t i = 0; i < 4; i++) {
        failure[0].covers[i] = exchange.made.text.requirements.item[i].id;
    }
    failure[1] = failure[0];
    failure[1].covers[1] = NULL;
    verdict.failure = failure;
    verdict.failure_count = 2;
    send_verdict(&exchange, &verdict);
    receive(&exchange);
    assert_null(exchange.problem);
    assert_int_equal(exchange.verdict->failure_count, 2);
    for (size_t i = 0; i < 4; i++) {
        assert_ptr_equal(
            exchange.verdict->failure[0].covers[i], failure[0].covers[i]);
    }
    assert_ptr_equal(
        exchange.verdict->failure[1].covers[0], failure[0].covers[0]);
    assert_null(exchange.verdict->failure[1].covers[1]);
    exchange_release(&exchange);
}

/* Each byte with each bit the other way round: refused or read. */
static void every_flipped_bit_is_refused_or_read(void **state)
{
    struct exchange exchange;
    size_t refused = 0;

    (void)state;
    exchange_init(&exchange);
    send_verdict(&exchange, scenario_run_nth(&exchange.made, 0));
    for (size_t i = 0; i < 8 * exchange.length; i++) {
        exchange.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        receive(&exchange);
        refused += exchange.problem != NULL;
        exchange.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    /* At least the head, the result, the tail and the requirement. */
    assert_true(refused > 8 * 12);
    assert_true(refused < 8 * exchange.length);
    exchange_release(&exchange);
}

TEST_FILE(test_verdict_pipe)
{
    TEST_ADD_ROWS(list, malformed_row, malformed_rows);
    test_add(list, "message_is_read_as_it_was_meant",
        message_is_read_as_it_was_meant, NULL);
    test_add(list, "every_beginning_of_a_message_is_refused",
        every_beginning_of_a_message_is_refused, NULL);
    test_add(list, "failure_cites_as_many_as_it_can",
        failure_cites_as_many_as_it_can, NULL);
    test_add(list, "every_flipped_bit_is_refused_or_read",
        every_flipped_bit_is_refused_or_read, NULL);
}
