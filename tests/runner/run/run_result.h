/* run_result.h - what came of a run, here and in a child process. */
#ifndef TESTS_RUNNER_RUN_RUN_RESULT_H
#define TESTS_RUNNER_RUN_RUN_RESULT_H

#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/child.h"
#include "scenarios/runner/run/instance_trace.h"
#include "tests/runner/run/scenario_run.h"

/* What came of a run, as far as it is printed or counted. */
struct run_result {
    struct verdict *verdict;
    char *failures, *trace;
};

static inline const struct instance *result_first(
    const struct scenario_run *made)
{
    return &made->instances->item[0];
}

static inline void result_print_failures(const void *argument, FILE *out)
{
    const struct scenario_run *made = argument;

    report_failures(&made->session, result_first(made), made->verdict, out);
}

static inline void result_print_trace(const void *argument, FILE *out)
{
    const struct scenario_run *made = argument;

    instance_trace_print(result_first(made), &made->session.machine.trace, out);
}

static inline struct run_result run_here(struct scenario_run *made)
{
    struct run_result account = {.verdict = scenario_run_nth(made, 0)};

    account.failures =
        text_of(made->text.file.memory, result_print_failures, made);
    account.trace = text_of(made->text.file.memory, result_print_trace, made);
    return account;
}

/* In a child with `body`; NULL: as child_run() does it. */
static inline struct run_result run_child(struct scenario_run *made,
    const struct child_limits *limits, child_body *body)
{
    void *memory = made->text.file.memory;
    struct run_result account;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    account.verdict = body == NULL ? child_run(memory, &made->session,
                                         result_first(made), limits, out)
                                   : child_execute(memory, &made->session,
                                         result_first(made), limits, body, out);
    assert_ptr_equal(talloc_parent(account.verdict), memory);
    fclose(out);
    account.trace = talloc_strdup(memory, text);
    free(text);
    made->verdict = account.verdict;
    account.failures = text_of(memory, result_print_failures, made);
    return account;
}

#endif
