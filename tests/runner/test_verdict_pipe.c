/* test_verdict_pipe.c - verdicts through bytes and back, and bytes that are
 * none. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/verdict_pipe.h"
#include "tests/runner/scenario_run.h"

#define TEXT                                                                   \
    HEAD                                                                       \
        "steps:\n"                                                             \
        "- expect: {state: {irql: {cpu: 0}, is: APC_LEVEL}, covers: [T-03]}\n"

enum { BYTES = 4096 };

/* A scenario, a message about it, and what comes out of it. */
struct exchange {
    struct scenario_run made;
    uint8_t bytes[BYTES];
    size_t length;
    struct verdict *verdict;
    struct verdict_trace trace;
    const char *problem;
};

static void exchange_init(struct exchange *exchange)
{
    scenario_run_init(&exchange->made, TEXT);
    exchange->length = 0;
}

static void exchange_release(struct exchange *exchange)
{
    scenario_run_release(&exchange->made);
}

static void receive_from(
    struct exchange *exchange, const uint8_t *bytes, size_t length)
{
    struct scenario_run *made = &exchange->made;

    exchange->verdict = verdict_receive(made->text.file.memory,
        &made->instances->item[0], &made->text.requirements, bytes, length,
        &exchange->trace, &exchange->problem);
    assert_int_equal(exchange->verdict == NULL, exchange->problem != NULL);
}

/* In a block of just that size, so that a read behind it is seen. */
static void receive(struct exchange *exchange)
{
    uint8_t *bytes = malloc(exchange->length + 1);

    assert_non_null(bytes);
    memcpy(bytes + 1, exchange->bytes, exchange->length);
    receive_from(exchange, bytes + 1, exchange->length);
    if (exchange->problem == NULL) {
        /* Only the trace lies in the bytes. */
        exchange->trace.text = talloc_strndup(exchange->made.text.file.memory,
            exchange->trace.text, exchange->trace.length);
    }
    free(bytes);
}

/* What verdict_send() writes. */
static void send(struct exchange *exchange, const struct verdict *verdict,
    const struct trace *trace)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    verdict_send(out, &exchange->made.instances->item[0], verdict, trace);
    fclose(out);
    assert_true(size <= BYTES);
    memcpy(exchange->bytes, text, size);
    exchange->length = size;
    free(text);
}

static void put(struct exchange *exchange, const void *bytes, size_t size)
{
    assert_true(exchange->length + size <= BYTES);
    memcpy(exchange->bytes + exchange->length, bytes, size);
    exchange->length += size;
}

/* A message as its parts: h head, r/p/i results FAIL, PASS, INTERNAL, x a
 * result that does not exist, digits a number of 32 bits, c a number of checks
 * and one of those not asked, z none of either, n the failures' place, o a
 * place that is none, s a text, N a text with a NUL, L one that is longer than
 * all that follows, l one that is too long, - no text, k, K, V, E, F the
 * requirements T-03, 01, 02, 04 and 05, u an unknown one, t tail, w a wrong
 * tail, . the text of a trace. */
static void put_part(struct exchange *exchange, char part)
{
    const struct {
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
        {'9', 4, &(const uint32_t){4097}},
        {'c', 16, (const uint64_t[]){7, 5}},
        {'z', 16, (const uint64_t[]){0, 0}},
        {'n', 8, &(const uint64_t){6}}, /* the title */
        {'o', 8, &(const uint64_t){1000000}},
        {'s', 7, "\3\0\0\0one"},
        {'N', 7, "\3\0\0\0o\0e"},
        {'L', 7, "\0\0\1\0one"},
        {'l', 7, "\1\0\20\0one"},
        {'-', 4, "\xFF\xFF\xFF\xFF"},
        {'k', 8, "\4\0\0\0T-03"},
        {'K', 8, "\4\0\0\0T-01"},
        {'V', 8, "\4\0\0\0T-02"},
        {'E', 8, "\4\0\0\0T-04"},
        {'F', 8, "\4\0\0\0T-05"},
        {'u', 8, "\4\0\0\0T-09"},
        {'t', 4, &(const uint32_t){0x56505445}},
        {'w', 4, &(const uint32_t){0x56505446}},
        {'.', 6, "# one\n"},
    };
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
    {"pass", "hpc00t", NULL},
    {"pass_with_a_trace", "hpc00..t", NULL},
    {"failure", "hrc1nsss1k0t", NULL},
    {"failure_without_a_call", "hrc1nss-00t", NULL},
    {"failure_before_any_check", "hrz1nsss00t", NULL},
    {"failure_at_no_node", "hrc1osss00t", NULL},
    {"failure_with_four_requirements", "hrc1nsss4kkkk0t", NULL},
    {"two_failures", "hrc2nsss0nss-1k0t", NULL},
    {"failure_of_ours", "hiz1nsss00t", NULL},
    {"nothing", "", "it ends too early"},
    {"head_alone", "h", "it ends too early"},
    {"result_alone", "hp", "it ends too early"},
    {"checks_alone", "hpc", "it ends too early"},
    {"no_tail", "hpc00", "it ends too early"},
    {"trace_without_a_tail", "hpc00..", "it does not end as one"},
    {"wrong_tail", "hpc00w", "it does not end as one"},
    {"bytes_behind_the_tail", "hpc00t0", "it does not end as one"},
    {"wrong_head", "tpc00t", "it does not begin as one"},
    {"unknown_result", "hxc1nsss00t", "its result does not exist"},
    {"too_many_failures", "hrc9", "it has too many failures"},
    {"pass_with_a_failure", "hpc1nsss00t",
        "its result contradicts its failures"},
    {"pass_without_checks", "hpz00t", "its result contradicts its failures"},
    {"fail_without_a_failure", "hrc00t", "its result contradicts its failures"},
    {"one_failure_of_two", "hrc2nsss00t", "it ends too early"},
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
    {"citation_of_each_outcome", "hrc1nsss03k0K1V2t", NULL},
    {"citation_of_five", "hpc05k0K0V0E0F0t", NULL},
    {"citation_of_six", "hpc06k0K0V0E0F0k0t", "it cites too many requirements"},
    {"citation_of_an_unknown_requirement", "hpc01u0t",
        "a requirement does not exist"},
    {"citation_without_an_outcome", "hpc01k", "it ends too early"},
    {"citation_of_an_unknown_outcome", "hpc01k4t",
        "what came of a requirement does not exist"},
    {"citation_that_failed_of_what_passed", "hpc01k2t",
        "its result contradicts what it cites"},
    {"citation_twice", "hpc02k0k1t", "a requirement is cited twice"},
    {"no_citation_of_one", "hpc01", "it ends too early"},
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
        assert_int_equal(exchange.trace.length, 0);
    }
    exchange_release(&exchange);
}

static void message_is_read_as_it_was_meant(void **state)
{
    struct exchange exchange;
    const struct failure *failure;
    const struct cited *cited;
    const struct node *root;

    (void)state;
    exchange_init(&exchange);
    for (const char *part = "hrc2nsss1koss-03k2K1V0.t"; *part != '\0'; part++) {
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
    assert_int_equal(exchange.trace.length, 6);
    assert_string_equal(exchange.trace.text, "# one\n");
    exchange_release(&exchange);
}

/* What is sent of a run comes out, and no beginning of it is a whole. */
static void every_beginning_of_a_message_is_refused(void **state)
{
    struct exchange exchange;
    size_t whole;

    (void)state;
    exchange_init(&exchange);
    send(&exchange, scenario_run_nth(&exchange.made, 0),
        &exchange.made.session.machine.trace);
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

/* Each byte with each bit the other way round: refused or read. */
static void every_flipped_bit_is_refused_or_read(void **state)
{
    struct exchange exchange;
    size_t refused = 0;

    (void)state;
    exchange_init(&exchange);
    send(&exchange, scenario_run_nth(&exchange.made, 0), NULL);
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

/* What is larger than a message allows arrives cut. */
static void longest_text_is_cut(void **state)
{
    struct exchange exchange;
    struct failure failure = {.step = "1"};
    struct verdict verdict = {.result = RESULT_FAIL,
        .failure = &failure,
        .failure_count = 1,
        .checks = 1};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    char *message = malloc(VERDICT_TEXT_BYTES + 2);

    (void)state;
    assert_non_null(message);
    memset(message, 'm', VERDICT_TEXT_BYTES + 1);
    message[VERDICT_TEXT_BYTES + 1] = '\0';
    failure.message = message;
    exchange_init(&exchange);
    verdict.scenario = exchange.made.text.scenario;
    failure.place = exchange.made.text.scenario->root;
    verdict_send(out, &exchange.made.instances->item[0], &verdict, NULL);
    fclose(out);
    receive_from(&exchange, (const uint8_t *)text, size);
    assert_null(exchange.problem);
    assert_int_equal(strlen(exchange.verdict->failure[0].message), 1048576);
    exchange_release(&exchange);
    free(message);
    free(text);
}

static void failures_beyond_4096_are_left_out(void **state)
{
    static struct failure failures[4097];
    struct verdict verdict = {.result = RESULT_FAIL,
        .failure = failures,
        .failure_count = 4097,
        .checks = 1};
    struct exchange exchange;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    exchange_init(&exchange);
    verdict.scenario = exchange.made.text.scenario;
    for (size_t i = 0; i < 4097; i++) {
        failures[i] = (struct failure){.step = "1", .message = "m"};
    }
    verdict_send(out, &exchange.made.instances->item[0], &verdict, NULL);
    fclose(out);
    receive_from(&exchange, (const uint8_t *)text, size);
    assert_null(exchange.problem);
    assert_int_equal(exchange.verdict->failure_count, 4096);
    exchange_release(&exchange);
    free(text);
}

int main(void)
{
    struct test_list list = {.count = 0};

    TEST_ADD_ROWS(&list, malformed_row, malformed_rows);
    test_add(&list, "message_is_read_as_it_was_meant",
        message_is_read_as_it_was_meant, NULL);
    test_add(&list, "every_beginning_of_a_message_is_refused",
        every_beginning_of_a_message_is_refused, NULL);
    test_add(&list, "every_flipped_bit_is_refused_or_read",
        every_flipped_bit_is_refused_or_read, NULL);
    test_add(&list, "longest_text_is_cut", longest_text_is_cut, NULL);
    test_add(&list, "failures_beyond_4096_are_left_out",
        failures_beyond_4096_are_left_out, NULL);
    return test_run("runner.verdict_pipe", &list);
}
