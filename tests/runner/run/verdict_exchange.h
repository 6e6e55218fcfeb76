/* verdict_exchange.h - a scenario, a message about its verdict, and what is
 * read out of it. */
#ifndef TESTS_RUNNER_RUN_VERDICT_EXCHANGE_H
#define TESTS_RUNNER_RUN_VERDICT_EXCHANGE_H

#include "scenarios/runner/run/verdict_pipe.h"
#include "tests/runner/run/scenario_run.h"

#define EXCHANGE_TEXT                                                          \
    HEAD                                                                       \
        "steps:\n"                                                             \
        "- expect: {state: {irql: {cpu: 0}, is: APC_LEVEL}, covers: [T-03]}\n"

enum { EXCHANGE_BYTES = 4096 };

/* A scenario, a message about it, and what comes out of it. */
struct exchange {
    struct scenario_run made;
    uint8_t bytes[EXCHANGE_BYTES];
    size_t length;
    struct verdict *verdict;
    const char *problem;
};

static inline void exchange_init(struct exchange *exchange)
{
    scenario_run_init(&exchange->made, EXCHANGE_TEXT);
    exchange->length = 0;
}

static inline void exchange_release(struct exchange *exchange)
{
    scenario_run_release(&exchange->made);
}

static inline void receive_from(
    struct exchange *exchange, const uint8_t *bytes, size_t length)
{
    struct scenario_run *made = &exchange->made;

    exchange->verdict =
        verdict_receive(made->text.file.memory, &made->instances->item[0],
            &made->text.requirements, bytes, length, &exchange->problem);
    assert_int_equal(exchange->verdict == NULL, exchange->problem != NULL);
}

/* In a block of just that size, so that a read behind it is seen. */
static inline void receive(struct exchange *exchange)
{
    uint8_t *bytes = malloc(exchange->length + 1);

    assert_non_null(bytes);
    memcpy(bytes + 1, exchange->bytes, exchange->length);
    receive_from(exchange, bytes + 1, exchange->length);
    free(bytes);
}

/* What verdict_send() writes. */
static inline void send_verdict(
    struct exchange *exchange, const struct verdict *verdict)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    verdict_send(out, verdict);
    fclose(out);
    assert_true(size <= EXCHANGE_BYTES);
    memcpy(exchange->bytes, text, size);
    exchange->length = size;
    free(text);
}

#endif
