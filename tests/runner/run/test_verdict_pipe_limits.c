/* test_verdict_pipe_limits.c - verdicts that are larger than a message allows.
 */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/verdict_exchange.h"

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
    verdict_send(out, &verdict);
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
    verdict_send(out, &verdict);
    fclose(out);
    receive_from(&exchange, (const uint8_t *)text, size);
    assert_null(exchange.problem);
    assert_int_equal(exchange.verdict->failure_count, 4096);
    exchange_release(&exchange);
    free(text);
}

TEST_FILE(test_verdict_pipe_limits)
{
    test_add(list, "longest_text_is_cut", longest_text_is_cut, NULL);
    test_add(list, "failures_beyond_4096_are_left_out",
        failures_beyond_4096_are_left_out, NULL);
}
