/* test_run_workers.c - callbacks that all processors run at the same time
 * (IPI-01): each run has its own variables, and gives its own value. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/run/scenario_run.h"

/* Three processors run a worker; the caller is on the first. */
#define WORKER(body, returns, steps)                                           \
    HEAD "machine: {cpus: 3}\ncallbacks:\n"                                    \
         "  worker: {type: PKIPI_BROADCAST_WORKER, do: [" body                 \
         "], returns: " returns "}\nsteps:\n" steps
#define BROADCAST(context, expect)                                             \
    "- {call: KeIpiGenericCall, args: {BroadcastFunction: $worker, "           \
    "Context: " context "}, expect: {" expect ", covers: [T-01]}}\n"
#define NUMBER "{call: KeGetCurrentProcessorNumberEx, save: {nr: returns}}"
#define STALL "{call: KeStallExecutionProcessor, args: {MicroSeconds: 1}}"

static struct scenario_run_row rows[] = {
    {"empty_body_gives_a_value_of_its_argument",
        WORKER("", "$(Argument + 1)", BROADCAST("8", "returns: 9")),
        RESULT_PASS, 0, NULL, NULL},
    {"value_is_that_of_the_callers_processor",
        WORKER(NUMBER ", " STALL, "$(Argument + nr)",
            BROADCAST("0x100", "returns: 0x100")),
        RESULT_PASS, 0, NULL, NULL},
    {"steps_see_what_their_own_processor_saved",
        WORKER(NUMBER ", " STALL
                      ", {call: KeGetCurrentProcessorNumberEx, expect: "
                      "{returns: $nr}}",
            "0", BROADCAST("0", "returns: 0")),
        RESULT_PASS, 0, NULL, NULL},
    {"argument_is_that_of_this_run",
        WORKER(STALL, "$Argument",
            BROADCAST("1", "returns: 1") BROADCAST("2", "returns: 2")),
        RESULT_PASS, 0, NULL, NULL},
    {"worker_that_is_no_code",
        HEAD "steps:\n- {call: KeIpiGenericCall, args: {BroadcastFunction: "
             "null, Context: 0}, expect: {violations: [{rule: code.not_code}], "
             "bugcheck: {code: DRIVER_IRQL_NOT_LESS_OR_EQUAL}, covers: "
             "[T-01]}}\n",
        RESULT_PASS, 0, NULL, NULL},
    {"runs_of_a_worker_are_counted",
        WORKER("", "0",
            BROADCAST("0", "handler: {name: worker, runs: 2, args: "
                           "{Argument: 0}}")),
        RESULT_FAIL, 1, "1", "handler runs: expected 2, actual 3"},
};

TEST_FILE(test_run_workers)
{
    TEST_ADD_ROWS(list, scenario_run_row, rows);
}
